import { type Selectable, sql } from 'kysely';
import { append } from '../../domain/append.ts';
import type { Decision } from '../../domain/decision.ts';
import { PLAIN_KINDS, type PlainKind, type RecordKind } from '../../domain/kinds.ts';
import { queryTerms } from '../../domain/language/analysis.ts';
import { isAnswered } from '../../domain/ranking/answered.ts';
import { FEW_SHOWN } from '../../domain/ranking/weights.ts';
import { sentencesIn, wordsIn } from '../../domain/text/segments.ts';
import { newestVersion, toDecision } from '../decisions/decision.ts';
import type { Row } from '../kinds/kind.ts';
import { SEARCHED_KINDS, STORED } from '../kinds/kinds.ts';
import { findObservationsAt, type StoredObservation } from '../observations/observation.ts';
import { Pauses, STRETCH } from '../pauses.ts';
import type { Schema } from '../schema.ts';
import { query, together } from '../statements.ts';
import type { Table } from '../tables.ts';
import type { Tx } from '../tx.ts';
import { writersOf } from '../writer.ts';
import { KEPT, ofState } from './chains.ts';
import type { Eligible, Relevant, Shares } from './hits.ts';
import { batchesOf, inOneScript, type Question, readQuestion, wordsOf } from './question.ts';
import { rankAnswers } from './rank.ts';
import { behindSuccessors, SUCCESSOR } from './successors.ts';

/**
 * A record of any kind that answers a question. A decision is the newest version of the chain that matched; `matchedSeq`
 * is the number of the record that matched, which may be an earlier version.
 */
export type Found = Shares & { matchedSeq: number } & (
    | {
        kind: 'decision';
        decision: Decision;
        matchedVersion: MatchedVersion;
        /** The earlier version that answers the best, whether the newest answers or not. */
        earlier: MatchedVersion | undefined;
      }
    | { kind: 'observation'; observation: StoredObservation; supersededBy?: number | undefined }
    | { kind: PlainKind; id: string; text: string; createdAt: number; author: string; client: string }
  );

/** The version of a chain that matched. */
type MatchedVersion = Pick<Decision, 'id' | 'version' | 'text' | 'outcome'>;

/** A matching record and the answer that it belongs to: its chain, or itself. */
export interface Identity extends Shares {
  seq: number;
  kind: RecordKind;
  key: string;
  score: number;
  /** Of a decision the next best version of its chain. */
  next?: number;
  /** Of an observation its id, and that of the one that supersedes it. */
  observation: number | null;
  successor: number | null;
}

/** The filter of {@link searchEverything}. */
export interface EverythingAsked {
  limit: number;
  /** Whether the first page ends early, with the last answer that is worth reading (T-9). */
  isBrief?: boolean | undefined;
  /** How many answers were shown already. The ranking is made anew for each page: what was saved since may move others (W-6). */
  from?: number | undefined;
  /** When given, only observations of this project; the other kinds belong to no project. */
  project?: string | undefined;
  /** Which records it may find. Default: {@link eligibleRecords}. */
  eligible?: Eligible | undefined;
  /** Whether each record is ranked by what it says itself, which costs half. */
  isAlone?: boolean;
  /** That, and the words taken as given, for a hook. */
  isHurried?: boolean;
}

/**
 * Searches every kind of record at once, the best answer first. A chain is one answer; of the checkpoints each
 * person's newest is one.
 * @returns `next`: how many answers come before the next page, undefined on the last; `isAnswered`: whether the best say
 *   enough of what was asked; `asked`: the question as it was read
 */
export async function searchEverything(
  tx: Tx,
  query: string,
  given: EverythingAsked,
): Promise<{ found: Found[]; next: number | undefined; isAnswered: boolean; asked: Question }> {
  const { answers, next, isAnswered, asked } = await bestAnswers(tx, query, given);
  return { found: await load(tx, answers), next, isAnswered, asked };
}

/**
 * {@link searchEverything} without reading the records.
 * @returns also `ranked`, how many answers were ranked, and `isAll`, whether these are all that there are
 */
export async function bestAnswers(
  tx: Tx,
  query: string,
  {
    limit,
    isBrief = false,
    from = 0,
    project,
    eligible = eligibleRecords(project),
    isHurried = false,
    isAlone = isHurried,
  }: EverythingAsked,
) {
  const read = await readQuestion(tx, query, isHurried);
  for await (const asked of batchesOf(tx, read, eligible)) {
    if (asked.found.length === 0 && !tx.meaning) break;
    const ranked = await rankAnswers(tx, { asked, eligible, wanted: from + limit + 1, isAlone }, (records) =>
      identitiesOf(tx, records, eligible),
    );
    const answers = behindSuccessors(ranked.answers);
    if (answers.length === 0) continue;
    const { isAll, isAnswered, worth } = ranked;
    const end = from + (isBrief && from === 0 ? Math.min(limit, worth) : limit);
    const next = answers.length > end ? end : undefined;
    return { answers: answers.slice(from, end), next, ranked: answers.length, isAll, isAnswered, asked };
  }
  return { answers: [], next: undefined, ranked: 0, isAll: true, isAnswered: false, asked: read };
}

/** Steps of a task that are looked for by themselves, at most, and words that each has, and shares with an answer, at least. */
const STEPS = 5;
const STEP_WORDS = 2;

/**
 * Answers to the steps of a task that has several, by turns: its sentences and its items with a number or a bullet. Among the
 * words of the others a step is too small a share of the task for its lock to be found. Other lines, and questions, are
 * wordings of one thing (RE-7).
 * @returns of the first few of each step those that are an answer by themselves. One word is not enough: "make that our rule"
 * is a step, too
 */
export async function searchSteps(tx: Tx, task: string, project: string | undefined): Promise<Found[]> {
  const steps = task
    .split(/;|(?:^|\s)\d{1,2}[.)]\s|^\s*[-*•]\s/m)
    .flatMap((item) => sentencesIn(item.replace(/\s+/g, ' ')))
    .filter((step) => wordsIn(step).length >= STEP_WORDS && !/\?\s*$/.test(step));
  if (steps.length < 2) return [];
  // A model has read the whole.
  const plain = { ...tx, meaning: undefined };
  const found = await together(
    ...steps.slice(0, STEPS).map(async (step) => {
      const { found, asked } = await searchEverything(plain, step, {
        limit: FEW_SHOWN,
        isBrief: true,
        isAlone: true,
        project,
      });
      const matched = found.map(({ matchedSeq }) => matchedSeq);
      const terms = await tx.text.termsIn(tx.db, matched, asked.found);
      const words = [...wordsIn(step).map(queryTerms), ...asked.instead.map(({ by }) => by.flat())];
      const shared = ({ matchedSeq }: Found) =>
        words.filter((word) => word.some((term) => terms.get(matchedSeq)?.has(term))).length;
      return found.filter(
        (each) => shared(each) >= STEP_WORDS && isAnswered([each], wordsOf(asked), inOneScript(asked)),
      );
    }),
  );
  return Array.from({ length: FEW_SHOWN }).flatMap((_, at) =>
    found.flatMap((each) => each.slice(at, at + 1)),
  );
}

/** The records that a search of everything may find. @param project when given, only observations of it */
export function eligibleRecords(project: string | undefined): Eligible {
  const kinds = SEARCHED_KINDS.map((kind) => {
    const found = STORED[kind].findable?.(project);
    return found ? sql`r.kind = ${sql.lit(kind)} and ${found}` : sql`r.kind = ${sql.lit(kind)}`;
  });
  return sql`(${sql.join(kinds, sql` or `)})`;
}

/** The answers to load, in the order of the records: each once, where its best record is. */
async function identitiesOf(tx: Tx, records: Relevant[], eligible: Eligible): Promise<Identity[]> {
  const rows = await query<
    Pick<Identity, 'seq' | 'observation' | 'successor'> & { rootId: string | null; kept: number }
  >(tx)`
    select r.seq, d.root_id, case when d.root_id is null then 100 else ${KEPT} end as kept, o.id as observation, ${SUCCESSOR} as successor from (${tx.lists.numbers(records.map(({ seq }) => seq))}) as wanted
    join records as r on r.seq = wanted.id left join decisions as d on d.seq = r.seq
    left join observations as o on o.seq = r.seq where ${eligible}`;
  const read = new Map(rows.map((row) => [row.seq, row]));
  const identities = new Map<string, Identity>();
  for (const { seq, kind, score, similarity, nearness } of records) {
    const { rootId = null, kept = 100, ...of } = read.get(seq) ?? {};
    const key = rootId ?? String(seq);
    const known = identities.get(key);
    if (known) known.next ??= seq;
    else if ('seq' in of)
      identities.set(key, { ...of, kind, key, score: ofState(score, kept), similarity, nearness });
  }
  return [...identities.values()].sort((a, b) => b.score - a.score);
}

/** The records themselves, in the order given. */
async function load(tx: Tx, answers: Identity[]): Promise<Found[]> {
  const of = (kind: RecordKind) => answers.filter((answer) => answer.kind === kind).map(({ seq }) => seq);
  const [heads, observations, ...plain] = await together(
    headsOf(tx, [...of('decision'), ...answers.flatMap(({ next = [] }) => next)]),
    observationsAt(tx, of('observation')),
    ...PLAIN_KINDS.map((kind) => plainAt(tx, kind, of(kind))),
  );
  const bySeq = new Map<number, object>([
    ...[...heads].map(([seq, head]) => [seq, { kind: 'decision', ...head }] as const),
    ...observations.map((observation) => [observation.seq, { kind: 'observation', observation }] as const),
    ...plain.flat(),
  ]);
  return answers.map(({ seq, next = seq, similarity, nearness, successor }) => {
    const supersededBy = successor ?? undefined;
    const versions = [heads.get(seq), heads.get(next)];
    return {
      ...bySeq.get(seq),
      earlier: versions.find((each) => each && each.matchedVersion.text !== each.decision.text)
        ?.matchedVersion,
      ...(supersededBy && { supersededBy }),
      similarity,
      nearness,
      matchedSeq: seq,
    } as Found;
  });
}

/** Observations with their texts, which may be long: as many at once as a search shows (Z-5). */
async function observationsAt(tx: Tx, seqs: number[]): Promise<StoredObservation[]> {
  const found: StoredObservation[] = [];
  const pauses = new Pauses();
  for (let at = 0; at < seqs.length; at += SHOWN) {
    await pauses.before(STRETCH.rows, 0);
    append(found, await findObservationsAt(tx, seqs.slice(at, at + SHOWN)));
  }
  return found;
}
const SHOWN = 10;

/** Plain records with who wrote them, by their numbers. */
async function plainAt(tx: Tx, kind: PlainKind, seqs: number[]): Promise<(readonly [number, object])[]> {
  if (seqs.length === 0) return [];
  const { table, at, plain } = STORED[kind];
  const rows = await query<PlainRow>(tx)`
    select t.*, ${sql.ref(`t.${at}`)} as created_at, w.author, w.client from (${tx.lists.numbers(seqs)}) as wanted
    join ${sql.table(table)} as t on t.seq = wanted.id ${writersOf('t')}`;
  return rows.map((row) => {
    const { seq, id, createdAt, author, client } = row;
    return [seq, { kind, id, text: plain.entry(row), createdAt, author, client }] as const;
  });
}
type PlainRow = Row<Table> & { seq: number; id: string; createdAt: number; author: string; client: string };

/** The newest version of the chain of each of these versions, by the version's number. */
async function headsOf(tx: Tx, versions: number[]) {
  if (versions.length === 0) return new Map();
  const rows = await query<
    Selectable<Schema['decisions']> & {
      matched: number;
      matchedId: string;
      matchedVersion: number;
      matchedText: string;
      matchedOutcome: Decision['outcome'];
    }
  >(tx)`
    select head.*, d.seq as matched, d.id as matched_id, d.version as matched_version, d.text as matched_text,
      d.outcome as matched_outcome
    from (${tx.lists.numbers(versions)}) as wanted join decisions as d on d.seq = wanted.id
    join decisions as head on head.root_id = d.root_id
      and head.version = ${newestVersion(sql`d.root_id`)}`;
  return new Map(
    rows.map(({ matched, matchedId, matchedVersion, matchedText, matchedOutcome, ...head }) => [
      matched,
      {
        decision: toDecision(head),
        matchedVersion: {
          id: matchedId,
          version: matchedVersion,
          text: matchedText,
          outcome: matchedOutcome,
        },
      },
    ]),
  );
}
