import { sql } from 'kysely';
import type { Tx } from '../tx.ts';

/**
 * How far a memory is, as numbers that only grow: its newest record and change, and when a text of an observation was
 * replaced last; neither says it alone. Each is the end of an index.
 */
export async function stateOf(tx: Tx): Promise<{ record: number; change: number; revised: number }> {
  const { rows } = await sql<{ record: number | null; change: number | null; revised: number | null }>`
    select (select max(seq) from records) as record, (select max(seq) from changes) as change,
      (select max(replaced_at) from observation_revisions) as revised`.execute(tx.db);
  const [{ record, change, revised } = { record: 0, change: 0, revised: 0 }] = rows;
  return { record: record ?? 0, change: change ?? 0, revised: revised ?? 0 };
}
