import { sql } from 'kysely';
import type { RecordKind } from '../domain/change.ts';
import type { Tx, WriterRow } from './tx.ts';
import { writerRow } from './writer.ts';

/** The number of the newest record of any kind; 0 before there is one. */
export async function newestRecord(tx: Tx): Promise<number> {
  const { rows } = await sql<{ newest: number | null }>`select max(seq) as newest from records`.execute(
    tx.db,
  );
  return rows[0]?.newest ?? 0;
}

/** The programs that saved records on this machine since one, other than the keywords that come of talking. */
export async function clientsSince(tx: Tx, seq: number, host: string): Promise<string[]> {
  const { rows } = await sql<{ client: string }>`
    select distinct w.client from records as r join writers as w on w.id = r.writer
    where r.seq > ${seq} and r.kind <> 'keyword' and w.host = ${host}`.execute(tx.db);
  return rows.map(({ client }) => client);
}

/**
 * Inserts a record of any kind, with who writes it (D-14).
 * @param writer default: the transaction's
 * @returns its `seq`, by which the noun's own table refers to it
 */
export async function insertRecord(tx: Tx, kind: RecordKind, writer?: WriterRow): Promise<number> {
  const [seq] = await insertRecords(tx, kind, 1, writer);
  return seq as number;
}

/** Inserts several records at once. @returns their `seq`s, ascending */
export async function insertRecords(
  tx: Tx,
  kind: RecordKind,
  count: number,
  writer?: WriterRow,
): Promise<number[]> {
  const { id, session } = writer ?? (await writerRow(tx));
  const record = sql`(${kind}, ${id}, ${session})`;
  const { rows } = await sql<{ seq: number }>`
    insert into records (kind, writer, session) values ${sql.join(Array.from({ length: count }, () => record))}
    returning seq`.execute(tx.db);
  const seqs = rows.map(({ seq }) => seq).sort((a, b) => a - b);
  // What is said among people makes keywords, and is no save.
  if (kind !== 'keyword') tx.saved.records.push(...seqs);
  return seqs;
}
