import type { Checkpoint } from '../../domain/checkpoint.ts';
import type { Decision } from '../../domain/decision.ts';
import { idsOf } from '../../domain/id.ts';
import { queryTerms } from '../../domain/language/analysis.ts';
import { andMore, type EarlierFailure, sharedWords } from '../../domain/language/failures.ts';
import type { Observation } from '../../domain/observation.ts';
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

/** Something an agent is shown without asking for it (A-2): one line, in which what was stored is quoted. */
export interface Fact {
  /** What is shown at most once in a session. */
  id: string;
  line: string;
  /** The line without what is shown only where there is room: a reason, the text of an observation. */
  brief?: string;
  /** Whether it binds or warns of what failed: a session always has room for that (T-4). */
  binds?: boolean;
}

/** Tokens of a text and of a reason at most: three records fit with a prompt (W-3, A-3). A rule is quoted whole (T-1). */
const TEXT = 30;
const RULE = 90;
const REASON = 18;
/** Of a text where three records with what failed before them would not fit otherwise. */
const BRIEF = 20;
/** Characters that are read for a sentence, and of a text; of a name at most. */
const READ = 300;
const READ_OF_TEXT = 2_000;
const NAME = 60;

/**
 * Decisions, each with its status, scope, date and reason, in their order. Asks for less than a list shows of them.
 * @param asked the words of the prompt that they are shown for: what matches them is in what is quoted (T-1, T-2)
 */
export async function decisionLines(tx: Tx, decisions: Decision[], asked?: string): Promise<Fact[]> {
  const annotationOf = await annotate(tx, decisions, { asked });
  const shortId = await shortIds(tx, 'decisions', idsOf(decisions));
  return decisions.map((decision) =>
    decisionLine(decision, annotationOf(decision), shortId(decision.id), asked),
  );
}

function decisionLine(decision: Decision, annotation: Annotation, ref: string, asked?: string): Fact {
  const { id, topic, text, scope, strength, outcome, withdrawn, isActive, createdAt } = decision;
  const failed = outcome === 'failed';
  // An earlier version is shown where a prompt names it (T-10), as what it is.
  const active = strength === 'normal' ? 'active' : strength;
  const state = failed ? 'FAILED' : withdrawn ? 'withdrawn' : isActive ? active : 'superseded';
  const { isImported, earlierFailure, failedBasis, decidedTwice } = annotation;
  const before = earlierFailure && !failed ? earlierFailure : undefined;
  // What failed before says more than why, and why takes the longest to be read.
  const why = before ? undefined : whyOf(decision);
  const binding = failed && strength !== 'normal' ? [strength] : [];
  const called = `- ${facts(state, ...binding, ...(isImported ? [NOT_REVIEWED] : []), nameOf(scope), day(createdAt))} ${topic ? `${nameOf(topic)}: ` : ''}`;
  const warnings = [
    ...(decidedTwice ? [`DECIDED TWICE: ${plain(decidedTwice)}`] : []),
    ...(before
      ? [`FAILED before: ${earlier(before, asked)}${because(before.outcomeReason)}${andMore(before.more)}`]
      : []),
    ...failedBasis.slice(0, 1).map((basis) => `depends on what FAILED: ${extract(basis.decision, REASON)}`),
  ];
  const reason = why ? [`${failureOf(decision) ? 'failed because' : 'why'} ${sentence(why, REASON)}`] : [];
  const lineOf = (most: number, parts: string[]) =>
    `${called}${[extract(text, most, asked), ...parts, ...warnings].join('; ')} (${ref})`;
  return {
    id,
    line: lineOf(strength === 'normal' ? TEXT : RULE, reason),
    brief: lineOf(BRIEF, []),
    binds: failed || warnings.length > 0 || (strength !== 'normal' && isActive),
  };
}

/** The earlier version that failed; of one that said the same, only that it did (T-2). */
const earlier = ({ version, isRepeat, decision }: EarlierFailure, asked?: string) =>
  isRepeat ? `v${version} said the same` : `v${version} ${extract(decision, REASON, asked)}`;

/** An observation with its date. @param asked as for {@link decisionLines} */
export function observationLine(observation: Observation, asked?: string): Fact {
  const { id, title, content, updatedAt } = observation;
  const called = `- ${facts('observed', day(updatedAt))} ${sentence(title, TEXT)}`;
  const ref = `(#${id})`;
  return {
    id: observationId(observation),
    line: `${called}: ${extract(content, TEXT, asked)} ${ref}`,
    brief: `${called} ${ref}`,
  };
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
    line: `- ${facts('checkpoint', day(createdAt))} ${sentence(summary, TEXT)}${next} (mama_load_checkpoint)`,
  };
}

const facts = (...each: string[]) => `[${each.join(' · ')}]`;
const day = (time: number) => dayOf(iso(time));
const because = (reason: string | null) => (reason ? ` — ${sentence(reason, REASON)}` : '');

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
  return visible(text.replace(/\s+/g, ' ')).replaceAll('<', '‹').replaceAll('>', '›').replace(/[“”]/g, '"');
}
