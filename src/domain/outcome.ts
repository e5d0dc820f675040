import { telling } from './text/sentence.ts';
import { countCharacters, quoted } from './text/text.ts';

/** How a decision turned out (O-1 … O-3). A decision without an outcome is pending: NULL in the database. */
export const OUTCOMES = ['success', 'failed', 'partial'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** The outcomes that a search can filter by; `pending` has no outcome yet (O-5, O-6). */
export const OUTCOME_FILTERS = [...OUTCOMES, 'pending'] as const;
export type OutcomeFilter = (typeof OUTCOME_FILTERS)[number];

/** The word for each outcome. */
export const OUTCOME_WORDS = { success: 'worked', failed: 'failed', partial: 'partly' } as const;
/** The command that records each outcome. */
export const OUTCOME_COMMANDS = { ...OUTCOME_WORDS, partial: 'worked --partly' } as const;

/** Outcomes as people say them, in Korean too (V-3). */
const SAID = new Map<string, OutcomeFilter>([
  ...OUTCOMES.map((outcome) => [OUTCOME_WORDS[outcome], outcome] as const),
  ['성공', 'success'],
  ['실패', 'failed'],
  ...(['부분', '일부', '부분 성공'] as const).map((word) => [word, 'partial'] as const),
  ...(['미정', '대기'] as const).map((word) => [word, 'pending'] as const),
]);

/** The outcome that a word means; any other word as it is. */
export const outcomeSaid = (word: string): string => SAID.get(word.trim().normalize('NFC')) ?? word;

/** A failed decision as warnings of other decisions name it (O-8, O-9). */
export interface Failure {
  id: string;
  decision: string;
  outcomeReason: string | null;
  /** Of a ground: the decision between, by its name, that builds on it; or the version that did, where this one gives no links (T-7). */
  by?: string | undefined;
  /** Of a ground that was replaced: what is active on its topic. */
  now?: string | undefined;
}

/** The reason of an outcome as people and agents read it. */
export function shownReason(reason: string | null): string {
  return reason ?? NO_REASON;
}
const NO_REASON = 'no reason was given';

/** Characters that lists quote of a failure's decision, and of its reason. */
export const ASIDE = 80;

/** A failure that a decision builds on, by its name: {@link quotedFailure}. @param name its topic, where it has one */
export function quotedBasis(basis: Failure, name: string | undefined): string {
  return name === undefined ? quotedFailure(basis) : `${name}: ${quotedFailure(basis)}`;
}

/**
 * A failure as lists name it: what others wrote is so many characters each at most, and marked as a quotation. Of one that a
 * decision builds on also by what, and what is active instead (T-7).
 * @param most characters of the reason
 */
export function quotedFailure(
  { by, now, decision, outcomeReason }: Omit<Failure, 'id'>,
  limit = ASIDE,
  most = limit,
): string {
  const instead = now === undefined ? '' : ` (now ${quoted(now, limit)})`;
  const said = `${quoted(decision, limit)}${instead} — ${quotedReason(outcomeReason, most)}`;
  return by === undefined ? said : `${said}, by ${by}`;
}

/** Why it failed, quoted: whole, or its most telling sentences. @param limit characters of it at most */
export function quotedReason(reason: string | null, limit = LESSON): string {
  if (reason === null) return NO_REASON;
  const isWhole = countCharacters(reason) <= limit;
  return quoted((isWhole ? undefined : telling(reason, limit)) ?? reason, limit);
}

/** The warning that a failed decision carries wherever it is shown (O-4); undefined for every other outcome. */
export function outcomeWarning(
  outcome: Outcome | null,
  reason: string | null,
  limit = LESSON,
): string | undefined {
  return outcome === 'failed' ? `${FAILED} — ${quotedReason(reason, limit)}` : undefined;
}

/** How a decision is marked that failed. */
export const FAILED = '⚠️ outcome: failed';
/** Characters of the reason of a failure: it may hold the rule in force. */
export const LESSON = 600;

/** The warning for an outcome that takes the place of a failure: later readers are no longer warned. */
export function overruledWarning(reason: string | null): string {
  return `It was recorded as failed: ${quotedReason(reason)}. Searches no longer warn of that; decision_get keeps both outcomes.`;
}

/** The warning for a save that is very close to a failed decision on another topic. */
export const failedBeforeWarning = (failure: Failure): string => `⚠️ ${failedBefore(failure)}`;
export const failedBefore = (failure: Failure): string => `something close to this failed: ${named(failure)}`;

/** The warning for a save that builds on a failed decision (O-9), by another one or by an earlier version (T-7). */
export function failedBasisWarning(failure: Failure): string {
  const by = failure.by === undefined ? '' : `, by ${failure.by}`;
  return `⚠️ builds on a failed decision${by}: ${named(failure)}`;
}

/** A failure as warnings name it. */
export function named({ id, decision, outcomeReason }: Failure): string {
  return `${quoted(decision)} (${id}) — ${quotedReason(outcomeReason)}`;
}
