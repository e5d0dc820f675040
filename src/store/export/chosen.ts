import { sql } from 'kysely';
import { PrecedentError } from '../../domain/error.ts';
import type { Filter } from '../../domain/filter/filter.ts';
import { allOf, type Condition } from '../kinds/condition.ts';
import { meantBy } from '../lists/meant.ts';
import { recordsOf } from '../lists/timeline.ts';
import type { Tx } from '../tx.ts';

/** Which records an export takes along, as conditions. Mistakes and what was deleted are in none (K-6). */
export interface Chosen {
  /** On `decisions as d`: a chain comes whole when one of its versions passes. */
  chains: Condition;
  /** On `records as r`. */
  records: Condition;
  /** Whether anything was asked for. */
  isPart: boolean;
}

/**
 * What a filter leaves for an export (I-5, U-4).
 * @throws PrecedentError `not_found` for a name that nothing has; `invalid` for a state other than `active`, since a chain
 *   comes whole
 */
export async function chosenBy(tx: Tx, { state, ...filter }: Filter): Promise<Chosen> {
  if (state !== undefined && state !== 'active' && state !== 'any') {
    throw new PrecedentError(
      'invalid',
      `Expected state:active or no state, found state:${state}: a chain of versions is exported whole.`,
    );
  }
  const passing = recordsOf(tx, await meantBy(tx, filter));
  const records = allOf([sql`r.retracted_at is null`, passing]);
  const versions = allOf([records, state === 'active' ? sql`p.is_active = 1` : undefined]);
  return {
    chains: sql`d.root_id in (select p.root_id from decisions as p join records as r on r.seq = p.seq where ${versions})`,
    records,
    isPart: passing !== undefined || state === 'active',
  };
}
