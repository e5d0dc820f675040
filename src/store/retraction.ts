import { sql } from 'kysely';
import { recordChange } from './change.ts';
import { removeDocument } from './document.ts';
import type { Tx } from './tx.ts';

/** A record that counts, as a condition on the number of it: what was a mistake is kept, and shown to who asks by its id. */
export const counts = (seq: string) =>
  sql`not exists (select 1 from records as mistaken where mistaken.seq = ${sql.ref(seq)} and mistaken.retracted_at is not null)`;

/**
 * Marks a record as a mistake, or a memo as deleted: no search finds it, no list shows it (K-6). Nothing of it goes.
 * @returns false when it was one already
 */
export async function retract(
  tx: Tx,
  seq: number,
  kind: 'retracted' | 'deleted' = 'retracted',
): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable('records')
    .set({ retractedAt: tx.now })
    .where('seq', '=', seq)
    .where('retractedAt', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  await removeDocument(tx, seq);
  await recordChange(tx, kind, seq);
  return true;
}

/** Takes the mark away; the caller makes the record findable again. @returns false when it had none */
export async function reinstate(
  tx: Tx,
  seq: number,
  kind: 'reinstated' | 'restored' = 'reinstated',
): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable('records')
    .set({ retractedAt: null })
    .where('seq', '=', seq)
    .where('retractedAt', 'is not', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  await recordChange(tx, kind, seq);
  return true;
}

/** Those of these records that are mistakes, or deleted memos. */
export async function retractedAmong(tx: Tx, seqs: number[]): Promise<Set<number>> {
  if (seqs.length === 0) return new Set();
  const { rows } = await sql<{ seq: number }>`
    select r.seq from (${tx.lists.numbers(seqs)}) as wanted join records as r on r.seq = wanted.id
    where r.retracted_at is not null`.execute(tx.db);
  return new Set(rows.map(({ seq }) => seq));
}

/** Those of these numbers whose records count. */
export async function countingAmong(tx: Tx, seqs: number[]): Promise<number[]> {
  const mistakes = await retractedAmong(tx, seqs);
  return mistakes.size === 0 ? seqs : seqs.filter((seq) => !mistakes.has(seq));
}

/** Whether a record is one, by its own id. */
export async function isRetracted(
  tx: Tx,
  table: 'evidence' | 'anchors' | 'checkpoints',
  id: string,
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from ${sql.table(table)} as t join records as r on r.seq = t.seq
    where t.id = ${id} and r.retracted_at is not null`.execute(tx.db);
  return rows.length > 0;
}
