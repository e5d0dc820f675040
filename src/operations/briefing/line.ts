import type { Checkpoint } from '../../domain/checkpoint.ts';
import type { Decision } from '../../domain/decision.ts';
import { idsOf } from '../../domain/id.ts';
import { queryTerms } from '../../domain/language/analysis.ts';
import { andMore, type EarlierFailure, sharedWords } from '../../domain/language/failures.ts';
import type { Memo } from '../../domain/memo.ts';
import type { Observation } from '../../domain/observation.ts';
import { parseReasoning } from '../../domain/reasoning/reasoning.ts';
import { dayOf, iso } from '../../domain/text/moment.ts';
import { sentencesIn } from '../../domain/text/segments.ts';
import { firstTelling } from '../../domain/text/sentence.ts';
import { cutSequences } from '../../domain/text/terminal.ts';
import { cutToTokens } from '../../domain/text/tokens.ts';
import { visible } from '../../domain/text/visible.ts';
import { type Annotation, annotate } from '../../store/decisions/annotation.ts';
import { NOT_REVIEWED } from '../../store/decisions/imported.ts';
import { shortIds } from '../../store/prefix.ts';
import type { Tx } from '../../store/tx.ts';
import { failureOf, whyOf } from '../results/details.ts';

/** What made a record match what an agent does. */
export interface Match {
  /** `pattern`: one with wildcards, or of a folder; `path`: the file by its own path; `mark`: a comment in it. */
  by: 'pattern' | 'path' | 'mark';
  /** As the record has it. */
  of: string;
  /** The file. */
  at: string;
}

/** A record that an agent is shown without asking for it (A-2), quoted on one line. */
export interface Fact {
  id: string;
  /** Its status and what people call it: its topic, else its first words. */
  name: string;
  /** With its reference at the end. */
  line: string;
  /** Its reason in a sentence, which is said where there is room: before the reference. */
  why?: string;
  /** All of its reason: what was rejected, and the danger, may be in any sentence of it (RE-6). */
  whole?: string;
  /** Whether it binds or warns of what failed. */
  binds?: boolean;
  /** Set for a lock that holds. */
  lock?: true;
  match?: Match;
}

/** Tokens of a text and of what failed earlier at most. A rule is quoted whole (T-1). */
const TEXT = 30;
const RULE = 90;
const EARLIER = 18;
/** Of a reason: the sentence that names the danger is in it. */
const REASON = 60;
/** Of a whole reason. */
const WHOLE = 120;
/** Of the words that a record without a topic is called by. */
const CALLED = 10;
/** Characters that are read for a sentence, and of a text; of a name at most. */
const READ = 300;
const READ_OF_TEXT = 2_000;
const NAME = 60;

/** How a decision is shown. */
interface Shown {
  /** The words of the prompt that it is shown for: what matches them is in what is quoted (T-1, T-2). */
  asked?: string;
  /** `rule`: without date, and with its scope only where the topic does not name it; `start`: neither an id next to a topic. */
  as?: 'rule' | 'start';
  /** Those that a program saved and nobody reviewed, which may be asked for in the same round trips. */
  unreviewed?: ReadonlySet<string> | Promise<ReadonlySet<string>>;
}

/** Decisions, each with its status, scope, date and reason, in their order. Asks for less than a list shows of them. */
export async function decisionLines(tx: Tx, decisions: Decision[], how: Shown = {}): Promise<Fact[]> {
  const annotationOf = await annotate(tx, decisions, { asked: how.asked });
  const shortId = await shortIds(tx, 'decisions', idsOf(decisions));
  const unreviewed = await how.unreviewed;
  return decisions.map((decision) =>
    decisionLine(decision, annotationOf(decision), shortId(decision.id), { ...how, unreviewed }),
  );
}

function decisionLine(
  decision: Decision,
  annotation: Annotation,
  ref: string,
  { asked, as, unreviewed }: Omit<Shown, 'unreviewed'> & { unreviewed: ReadonlySet<string> | undefined },
): Fact {
  const { id, topic, text, scope, strength, outcome, withdrawn, isActive } = decision;
  const failed = outcome === 'failed';
  // An earlier version is shown where a prompt names it (T-10), as what it is.
  const active = strength === 'normal' ? 'active' : strength;
  const state = failed ? 'FAILED' : withdrawn ? 'withdrawn' : isActive ? active : 'superseded';
  const { isImported, earlierFailure, failedBasis, decidedTwice, tidied } = annotation;
  const before = earlierFailure && !failed ? earlierFailure : undefined;
  const binding = failed && strength !== 'normal' ? [strength] : [];
  // A failure is known whoever noted it.
  const waiting = isImported ? [NOT_REVIEWED] : !failed && unreviewed?.has(id) ? ['unreviewed'] : [];
  const known = [state, ...binding, ...waiting];
  const where =
    as === undefined
      ? [nameOf(scope), day((tidied?.decided ?? decision).createdAt)]
      : [topic?.split(':')[0] === scope ? [] : nameOf(scope)];
  const called = `- ${facts(...known, ...where.flat())} ${topic ? `${nameOf(topic)}: ` : ''}`;
  const warnings = [
    ...(decidedTwice ? [`DECIDED TWICE: ${plain(decidedTwice)}`] : []),
    ...(before
      ? [`FAILED before: ${earlier(before, asked)}${because(before.outcomeReason)}${andMore(before.more)}`]
      : []),
    ...failedBasis.slice(0, 1).map((basis) => `depends on what FAILED: ${extract(basis.decision, EARLIER)}`),
  ];
  const most = strength === 'normal' ? TEXT : RULE;
  // What failed before says more than why.
  const why = before ? undefined : whyOf(decision, READ);
  const whole = as === 'start' ? undefined : reasonIn(decision);
  const begin = failureOf(decision) ? 'failed because' : 'why';
  return {
    id,
    name: `${facts(state)} ${topic ? nameOf(topic) : extract(text, CALLED)}`,
    line: `${called}${[extract(text, most, asked), ...warnings].join('; ')}${topic && as === 'start' ? '' : ` (${ref})`}`,
    ...(why && { why: `${begin} ${sentence(why, REASON)}` }),
    ...(whole && { whole: `${begin} ${extract(whole, WHOLE, asked)}` }),
    ...(strength === 'lock' && state === 'lock' && { lock: true }),
    binds: failed || warnings.length > 0 || (strength !== 'normal' && isActive),
  };
}

/** Why something failed, else why it was decided, as a whole. */
const reasonIn = ({ outcome, outcomeReason, reasoning }: Decision) =>
  (outcome === 'failed' && outcomeReason) || (reasoning && parseReasoning(reasoning).prose);

/** The earlier version that failed; of one that said the same, only that it did (T-2). */
const earlier = ({ version, isRepeat, decision }: EarlierFailure, asked?: string) =>
  isRepeat ? `v${version} said the same` : `v${version} ${extract(decision, EARLIER, asked)}`;

/** An observation with its date. @param asked as for a decision */
export function observationLine(observation: Observation, asked?: string): Fact {
  const { id, title, content, updatedAt } = observation;
  const called = `- ${facts('observed', day(updatedAt))} ${sentence(title, TEXT)}`;
  return {
    id: observationId(observation),
    name: sentence(title, CALLED),
    line: `${called} (#${id})`,
    why: extract(content, REASON, asked),
    whole: extract(content, WHOLE, asked),
  };
}

/** A memo with its date, called by its id. @param asked as for a decision */
export async function memoLines(tx: Tx, memos: Memo[], asked?: string): Promise<Fact[]> {
  const shortId = await shortIds(tx, 'memos', idsOf(memos));
  return memos.map(({ id, summary, fullText, createdAt }) => {
    const whole = extract(fullText, WHOLE, asked);
    return {
      id,
      name: sentence(summary, CALLED),
      line: `- ${facts('memo', day(createdAt))} ${extract(summary, TEXT, asked)} (${shortId(id)})`,
      // A summary that was made from a short text is all of it.
      ...(fullText !== summary && { why: extract(fullText, REASON, asked), whole }),
    };
  });
}

/** The id of an observation among the facts. */
export function observationId({ id }: Pick<Observation, 'id'>): string {
  return `#${id}`;
}

/** Where work was left. */
export function checkpointLine({ id, summary, nextSteps, createdAt }: Checkpoint): Fact {
  const next = nextSteps ? `; next ${sentence(nextSteps, TEXT)}` : '';
  return {
    id,
    name: 'checkpoint',
    line: `- ${facts('checkpoint', day(createdAt))} ${sentence(summary, TEXT)}${next} (mama_load_checkpoint)`,
  };
}

const facts = (...each: string[]) => `[${each.join(' · ')}]`;
const day = (time: number) => dayOf(iso(time));
const because = (reason: string | null) => (reason ? ` — ${sentence(reason, EARLIER)}` : '');

/** The first telling sentence of a stored text as a quotation, in which nothing ends the quotation or what is around it. */
function sentence(text: string, limit: number): string {
  return `“${cutToTokens(plain(firstTelling(cutSequences(text).text, READ) ?? ''), limit)}”`;
}

/**
 * A stored text as a quotation on one line: whole, or cut with "…", since its first sentence alone may say the opposite (T-1).
 * @param asked the words of a prompt: the sentence that has most of them is in what is quoted
 */
function extract(text: string, most: number, asked = ''): string {
  const line = plain(cutSequences(text.slice(0, READ_OF_TEXT)).text).trim();
  const beginning = cutToTokens(line, most);
  if (beginning === line) return `“${line}”`;
  const words = new Set(queryTerms(asked));
  const sharedWith = (sentence: string) => sharedWords(words, queryTerms(sentence));
  // Each is read once: a hook waits for it.
  const sentences = sentencesIn(line).map((text) => ({ text: text.trim(), shared: sharedWith(text) }));
  const closest = Math.max(...sentences.map(({ shared }) => shared));
  if (closest <= sharedWith(beginning)) return `“${beginning}”`;
  const best = sentences.find(({ shared }) => shared === closest)?.text ?? '';
  const end = line.endsWith(best) ? '' : '…';
  return `“… ${cutToTokens(`${best}${end}`, most)}”`;
}

/** A name that others gave, on one line. */
export function nameOf(name: string): string {
  return plain([...name].slice(0, NAME).join(''));
}

function plain(text: string): string {
  return unmarked(text).replace(/[“”]/g, '"');
}

/** On one line, without markup that would end the frame of what is quoted. */
export function unmarked(text: string): string {
  return visible(text.replace(/\s+/g, ' ')).replaceAll('<', '‹').replaceAll('>', '›');
}
