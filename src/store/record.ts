import { sql } from 'kysely';
import type { RecordKind } from './schema.ts';
import type { Tx } from './tx.ts';

/**
 * Inserts a record of any kind, with its author (D-14).
 * @returns its `seq`, by which the noun's own table refers to it
 */
export async function insertRecord(tx: Tx, kind: RecordKind, session = tx.author.session): Promise<number> {
  const [seq] = await insertRecords(tx, kind, 1, session);
  return seq as number;
}

/** Inserts several records at once. @returns their `seq`s, ascending */
export async function insertRecords(
  tx: Tx,
  kind: RecordKind,
  count: number,
  session = tx.author.session,
): Promise<number[]> {
  const record = sql`(${kind}, ${session}, ${tx.author.client})`;
  const { rows } = await sql<{ seq: number }>`
    insert into records (kind, session_id, client) values ${sql.join(Array.from({ length: count }, () => record))}
    returning seq`.execute(tx.db);
  return rows.map(({ seq }) => seq).sort((a, b) => a - b);
}
