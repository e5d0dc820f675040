import { type RawBuilder, sql } from 'kysely';
import type { Outcome, OutcomeFilter } from '../../domain/outcome.ts';
import { notRetracted } from '../record.ts';

/** Which versions of decisions may be an answer. */
export interface VersionFilter {
  domain?: string | undefined;
  outcome?: OutcomeFilter | undefined;
  /** Show every version that matches, not only what matters of each chain. */
  history?: boolean;
}

/** Whether a search shows every version that matches, not only what matters of each chain. */
export function showsEvery({ history, outcome }: VersionFilter): boolean {
  return history === true || outcome !== undefined;
}

/** A filter as a condition on `decisions as d`. No mistake passes, whatever hangs on it (K-6). */
export function conditionOf({ domain, outcome }: VersionFilter): RawBuilder<unknown> {
  const counting = notRetracted('d.seq');
  const inDomain = domain === undefined ? counting : sql`d.scope = ${domain} and ${counting}`;
  if (outcome === undefined) return inDomain;
  const withOutcome = outcome === 'pending' ? sql`d.outcome is null` : sql`d.outcome = ${outcome}`;
  return sql`${inDomain} and ${withOutcome}`;
}

/** {@link conditionOf} for a version that was read and counts. */
export function passes(
  { scope, outcome }: { scope: string; outcome: Outcome | null },
  filter: VersionFilter,
): boolean {
  if (filter.domain !== undefined && scope !== filter.domain) return false;
  return filter.outcome === undefined || (outcome ?? 'pending') === filter.outcome;
}
