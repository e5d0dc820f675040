import * as z from 'zod';
import type { Decision } from '../../domain/decision.ts';
import { idsOf } from '../../domain/id.ts';
import { isInOtherScript } from '../../domain/language/script.ts';
import { patternsIn } from '../../domain/place.ts';
import { namedAmong } from '../../domain/place-match.ts';
import { matchingHints } from '../../domain/prompt/hints.ts';
import { fitting } from '../../domain/text/tokens.ts';
import { hintsOfRules } from '../../store/decisions/anchor.ts';
import { findDecisions } from '../../store/decisions/decision.ts';
import { NOT_REVIEWED } from '../../store/decisions/imported.ts';
import { failedSince } from '../../store/decisions/outcome.ts';
import { rulesHere } from '../../store/decisions/rules.ts';
import { shortIds } from '../../store/prefix.ts';
import { together } from '../../store/statements.ts';
import type { Tx } from '../../store/tx.ts';
import { whyOf } from '../results/details.ts';
import { firstWords, markOf, type Named, named, nameLine, tokensInList } from '../results/names.ts';

export const others = () =>
  z
    .object({
      words: z.array(named).describe('With their text, nearest to the task first'),
      topics: z.array(z.string()).describe('Those whose text had no room, or is known already'),
      more: z.int().describe('How many are not listed: decision_retrieve has them'),
    })
    .describe(
      'Rules and failures that no entry shows, since they use other words or another language, or have another scope',
    );
export type Others = z.infer<ReturnType<typeof others>>;

/** A rule or a failure, as far as its place among the others depends on it. */
interface Other extends Pick<Decision, 'id' | 'topic' | 'text' | 'scope' | 'createdAt'> {
  mark: ReturnType<typeof markOf>;
  files: string | null;
  /** Whether a person wrote or reviewed it. */
  isPersons: boolean;
  imported: boolean;
}

/** Failures that are read at most, the newest. */
const FAILURES = 100;
/** Rules and failures whose words are looked at. */
const NEAREST = 150;
/** Tokens of the words of one, and the share of the room for the topics of those whose words do not fit. */
const WORDS = 40;
const TOPICS = 0.15;
/** Characters of a task that are compared with hints, and paths in it. */
const TASK = 4_000;
const PATH = /(?<![^\s"'`“”()<>,;])[^\s"'`“”()<>,;]+\/[^\s"'`“”()<>,;]+/g;
const PATHS = 20;

/** The rules of the memory and what failed, and the ids of those whose hints a task has. */
export async function othersIn(tx: Tx, task: string): Promise<{ all: Other[]; hinted: Set<string> }> {
  const [all, hints] = await together(rulesAndFailures(tx), hintsOfRules(tx));
  const hinted = matchingHints(task.slice(0, TASK), hints).map(({ record }) => record.id);
  return { all, hinted: new Set(hinted) };
}

async function rulesAndFailures(tx: Tx): Promise<Other[]> {
  const [rules, failures] = await together(rulesHere(tx), failedSince(tx, 0, FAILURES));
  const failed = failures.map(
    ({ decision }): Other => ({ ...decision, mark: markOf(decision), isPersons: false, imported: false }),
  );
  const isFailed = new Set(idsOf(failed));
  const binding = rules
    .filter(({ id }) => !isFailed.has(id))
    .map((rule): Other => ({ ...rule, mark: markOf(rule), isPersons: !rule.unreviewed }));
  return [...binding, ...failed];
}

/** What brings a rule or a failure near to a task. */
export interface Near {
  task: string;
  files: string | undefined;
  domain: string | undefined;
  /** The scopes of what was found. */
  scopes: ReadonlySet<string>;
  /** Ids and topics that are shown whole, and ids that the asker knows. */
  shown: ReadonlySet<string>;
  known: ReadonlySet<string>;
}

/**
 * The words of the rules and failures that no entry shows, as far as they have room (RE-7): what a hint or a file of theirs names,
 * what is in another language than the task, the neighbours of its domain, what a person wrote, the newest. Then, when all
 * words have room, reasons.
 * @param room tokens
 */
export async function othersWithin(
  tx: Tx,
  { all, hinted }: Awaited<ReturnType<typeof othersIn>>,
  { task, files, domain, scopes, shown, known }: Near,
  room: number,
): Promise<{ others?: Others }> {
  const paths = [...patternsIn(files ?? ''), ...(task.match(PATH)?.slice(0, PATHS) ?? [])];
  const namedBy = paths.length === 0 ? () => [] : namedAmong(paths);
  const isNear = ({ scope }: Other) => scopes.has(scope) || (domain && area(scope) === area(domain));
  const isNamed = (each: Other) =>
    hinted.has(each.id) || patternsIn(each.files ?? '').some((pattern) => namedBy(pattern).length > 0);
  const left = all
    .filter(({ id, topic }) => !shown.has(id) && !(topic && shown.has(topic)))
    .map((each) => ({
      each,
      place: [
        isNamed(each),
        !known.has(each.id),
        isInOtherScript(each.text, task),
        isNear(each),
        each.isPersons,
      ].map(Boolean),
    }))
    .sort((a, b) => before(a.place, b.place) || b.each.createdAt - a.each.createdAt)
    .map(({ each }) => each);
  if (left.length === 0) return {};
  const nearest = left.slice(0, NEAREST);
  const ref = await shortIds(tx, 'decisions', idsOf(nearest));
  // What the task names comes with its words again: a context that was compacted may have lost them.
  const lines = nearest
    .filter((each) => !known.has(each.id) || isNamed(each))
    .map((each) => toNamed(each, ref(each.id)));
  const costs = lines.map((each) => tokensInList(nameLine(each)));
  const fits = fitting(costs, room) === lines.length;
  const count = fits ? lines.length : fitting(costs, room * (1 - TOPICS));
  const words = lines.slice(0, count);
  const rest = room - costs.slice(0, count).reduce((sum, cost) => sum + cost, 0);
  const told = new Set(idsOf(words));
  const topics = nearest.filter(({ id }) => !told.has(id)).map((each) => called(each) ?? ref(each.id));
  const naming = topics.slice(0, fitting(topics.map(tokensInList), rest));
  const free = rest - naming.reduce((sum, each) => sum + tokensInList(each), 0);
  return {
    others: {
      words: fits ? withReasons(words, await reasonsOf(tx, words), free).words : words,
      topics: naming,
      more: left.length - words.length - naming.length,
    },
  };
}

/** The topic of a scope or its first part: `auth` of `auth-web`. */
const area = (scope: string) => scope.split(/[^\p{L}\p{N}]/u)[0];

/** Orders lists of conditions: what meets the first comes before what does not, and so on. */
const before = (a: boolean[], b: boolean[]): number => {
  const at = a.findIndex((each, index) => each !== b[index]);
  return at < 0 ? 0 : Number(b[at]) - Number(a[at]);
};

/** Its topic, with what an agent must know of it wherever it sees it (Z-14). */
const called = ({ topic, imported }: Other) => topic && `${topic}${imported ? ` (${NOT_REVIEWED})` : ''}`;

function toNamed(each: Other, ref: string): Named {
  const title = called(each);
  const text = firstWords(each.text, WORDS);
  return { kind: 'decision', id: each.id, ref, ...(title && { title }), text, ...each.mark };
}

async function reasonsOf(tx: Tx, words: Named[]) {
  const found = new Map((await findDecisions(tx, idsOf(words))).map((each) => [each.id, whyOf(each)]));
  return ({ id }: Named) => found.get(id);
}

/** Words with their reasons, as many as have room, and the tokens that are left. */
export function withReasons(words: Named[], whyOf: (each: Named) => string | undefined, room: number) {
  let left = room;
  const explained = words.map((each) => {
    const why = whyOf(each);
    const cost = why ? tokensInList(why) + 1 : 0;
    if (!why || cost > left) return each;
    left -= cost;
    return { ...each, why };
  });
  return { words: explained, left };
}

/** Topics that a search names at most. */
const MOST_TOPICS = 12;

/** The topics of rules and failures in another language than a question, which no words of it could find (RE-8). */
export async function notComparedWith(tx: Tx, question: string): Promise<string[]> {
  const topics = (await rulesAndFailures(tx))
    .filter(({ text }) => isInOtherScript(text, question))
    .flatMap((each) => called(each) ?? firstWords(each.text));
  return [
    ...topics.slice(0, MOST_TOPICS),
    ...(topics.length > MOST_TOPICS ? [`${topics.length - MOST_TOPICS} more`] : []),
  ];
}

/** The topics and how many are not named, as a reader sees them. */
export const topicsInWords = ({ topics, more }: Others): string | undefined =>
  [...(topics.length > 0 ? [topics.join(', ')] : []), ...(more > 0 ? [`${more} more`] : [])].join('; ') ||
  undefined;
