import { sql } from 'kysely';
import { takesBack } from '../change.ts';
import type { Tx } from '../tx.ts';
import type { StoredObservation } from './observation.ts';

/**
 * When an observation was last changed by what still counts: neither what was undone nor what undid it bars a date
 * (U-7, K-6). Milliseconds UTC.
 */
export async function lastStanding(
  tx: Tx,
  { seq, createdAt, updatedAt }: StoredObservation,
): Promise<number> {
  const { rows } = await sql<{ at: number; save: number | null; undoes: number | null; undone: number }>`
    select c.created_at as at, s.id as save, s.undoes,
      case when exists (select 1 from saves as u where u.undoes = s.id) then 1 else 0 end as undone
    from changes as c left join saves as s on c.seq between s.first_change and s.last_change
    where c.record_seq = ${seq} and c.kind in ('rewritten', 'moved', 'deleted', 'restored')
    order by c.seq desc`.execute(tx.db);
  const [newest] = rows;
  // Most have never been undone; what an earlier version changed is in no list.
  if (!newest || newest.save === null || newest.undoes === null) return updatedAt;
  for (const { at, save, undoes, undone } of rows) {
    const current = undone === 0 && (save === null || !(await takesBack(tx, undoes)));
    if (current) return at;
  }
  return createdAt;
}
