/** What became of a decision (O-1 … O-3). A decision without an outcome is pending: NULL in the database. */
export const OUTCOMES = ['success', 'failed', 'partial'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** What a search can ask for: an outcome, or `pending` for none yet (O-5, O-6). */
export const OUTCOME_FILTERS = [...OUTCOMES, 'pending'] as const;
export type OutcomeFilter = (typeof OUTCOME_FILTERS)[number];

/** A decision that failed, as it is named in the warnings of others (O-8, O-9). */
export interface Failure {
  id: string;
  decision: string;
  outcomeReason: string | null;
}

/** The warning a failed decision carries wherever it is shown (O-4); undefined for every other outcome. */
export function outcomeWarning(outcome: Outcome | null, reason: string | null): string | undefined {
  if (outcome !== 'failed') return undefined;
  return `⚠️ outcome: failed — ${reason ?? 'no reason was given'}`;
}

/** The warning given to somebody who saves a decision where an earlier version failed (O-8). */
export function earlierFailureWarning(failure: Failure): string {
  return `⚠️ an earlier version failed: "${failure.decision}" (${failure.id}) — ${failure.outcomeReason ?? 'no reason was given'}`;
}

/** The warning given to somebody who saves what failed under another topic. */
export function failedBeforeWarning(failure: Failure): string {
  return `⚠️ something close to this failed: "${failure.decision}" (${failure.id}) — ${failure.outcomeReason ?? 'no reason was given'}`;
}

/** The warning given to somebody who builds on a decision that failed (O-9). */
export function failedBasisWarning(failure: Failure): string {
  return `⚠️ builds on a failed decision: "${failure.decision}" (${failure.id}) — ${failure.outcomeReason ?? 'no reason was given'}`;
}
