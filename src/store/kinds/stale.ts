import { type RawBuilder, sql } from 'kysely';
import { notRetracted } from '../record.ts';
import type { Tx } from '../tx.ts';

/**
 * When something was last saved of these versions, of those that stand, by id, as {@link staleSince} counts it: an undo is
 * no save.
 */
export async function lastSaved(tx: Tx, ids: string[]): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ id: string; saved: number | null; outcome: number | null }>`
    select d.id, max(case when not ${STANDS_AGAIN} then v.created_at end) as saved,
      max((select max(o.created_at) from outcomes as o where o.decision_id = v.id
        and o.created_at > v.created_at and ${notRetracted('o.seq')})) as outcome
    from (${tx.lists.texts(ids)}) as wanted join decisions as d on d.id = wanted.id and d.is_active = 1
    join decisions as v on ${SAYS_THE_SAME}
    group by d.id`.execute(tx.db);
  return new Map(
    rows.flatMap(({ id, saved, outcome }) => (saved === null ? [] : [[id, Math.max(saved, outcome ?? 0)]])),
  );
}

/**
 * A version to which nothing happened since a moment (U-4), as a condition on `decisions as d`: neither it nor an outcome of
 * it was saved since. An undo saves nothing: its version is as old as the one whose text is active again (K-6).
 * An outcome that it copied has the date of its version or of the original, so that only one younger than its version tells.
 * @param since in milliseconds UTC
 */
export const staleSince = (
  since: number,
): RawBuilder<unknown> => sql`(d.updated_at < ${since} or d.is_active = 1 and not exists (
  select 1 from decisions as v where ${SAYS_THE_SAME} and (v.created_at >= ${since} and not ${STANDS_AGAIN}
      or exists (select 1 from outcomes as o where o.decision_id = v.id and o.created_at >= ${since}
        and o.created_at > v.created_at and ${notRetracted('o.seq')}))))`;

/** A version `v` of the chain, up to `d`, that says what `d` says. */
const SAYS_THE_SAME = sql`v.root_id = d.root_id and v.version <= d.version and v.text = d.text and ${notRetracted('v.seq')}`;

/** A version that an undo or a redo made: what it follows is a mistake, and what was active before that is not. */
const STANDS_AGAIN = sql`(
  exists (select 1 from decisions as mistake where mistake.root_id = v.root_id
    and mistake.version = v.version - 1 and not ${notRetracted('mistake.seq')})
  and exists (select 1 from decisions as earlier where earlier.root_id = v.root_id
    and earlier.version < v.version and ${notRetracted('earlier.seq')}))`;
