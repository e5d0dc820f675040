import { sql } from 'kysely';
import type { Tx } from '../tx.ts';

/** What tells whether a memory was written to. */
export interface MemoryFingerprint {
  /** The number of the last change that no record tells of. */
  changes: number;
  records: number;
  /** How many records there are: less when one was erased, or an import undone. */
  count: number;
}

export async function fingerprintOf(tx: Tx): Promise<MemoryFingerprint> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from records`.execute(tx.db);
  const last = (table: string) => tx.numbering.last(tx.db, table);
  return { changes: await last('changes'), records: await last('records'), count: rows[0]?.count ?? 0 };
}
