import { sql } from 'kysely';
import { invalid } from '../../domain/error.ts';
import type { Filter } from '../../domain/filter/filter.ts';
import { allOf, type Condition } from '../kinds/condition.ts';
import { meantBy } from '../lists/meant.ts';
import { recordsOf } from '../lists/timeline.ts';
import type { Tx } from '../tx.ts';

/**
 * The chains that a filter leaves for an export (I-5, U-4), as a condition on `decisions as d`: a chain comes whole when one
 * of its versions passes. Mistakes do not count (K-6).
 * @throws PrecedentError `not_found` for a name that nothing has; `invalid` for a state other than `active`, since a chain
 *   comes whole
 */
export async function chosenBy(tx: Tx, { state, ...filter }: Filter): Promise<Condition> {
  if (state !== undefined && state !== 'active' && state !== 'any')
    throw invalid.wrong_filter(
      `Expected state:active or no state, found state:${state}: a chain of versions is exported whole.`,
    );
  const passing = recordsOf(tx, await meantBy(tx, filter));
  const versions = allOf([
    sql`r.retracted_at is null`,
    passing,
    state === 'active' ? sql`p.is_active = 1` : undefined,
  ]);
  return sql`d.root_id in (select p.root_id from decisions as p join records as r on r.seq = p.seq where ${versions})`;
}
