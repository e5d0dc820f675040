import { type Selectable, sql } from 'kysely';
import type { RecordKind } from '../../domain/kinds.ts';
import type { Document } from '../engine.ts';
import { SEARCHED_KINDS, STORED } from '../kinds/kinds.ts';
import { countingByKind } from '../record.ts';
import type { Schema } from '../schema.ts';
import { together } from '../statements.ts';
import type { Table } from '../tables.ts';
import type { Tx } from '../tx.ts';

const KINDS = sql.join(SEARCHED_KINDS.map((kind) => sql.lit(kind)));

/** Which of `records as r` a search can find: those of the kinds above, without mistakes and what was deleted. */
export const FINDABLE = sql`r.kind in (${KINDS}) and r.retracted_at is null
  and not exists (select 1 from observations as o where o.seq = r.seq and o.deleted_at is not null)`;

/** The documents of these records, without those that no search finds, in the order of their numbers. */
export async function everyDocument(tx: Tx, seqs: number[]): Promise<Document[]> {
  const kinds = await countingByKind(tx, seqs);
  const found = await together(...[...kinds].map(([kind, counting]) => documentsOf(tx, kind, counting)));
  return found.flat().sort((a, b) => a.seq - b.seq);
}

async function documentsOf(tx: Tx, kind: RecordKind, seqs: number[]): Promise<Document[]> {
  const { table, document, documents } = STORED[kind];
  if (documents) return documents(tx, seqs);
  if (!document) return [];
  const { rows } = await sql<Selectable<Schema[Table]>>`
    select t.* from (${tx.lists.numbers(seqs)}) as wanted join ${sql.table(table)} as t on t.seq = wanted.id`.execute(
    tx.db,
  );
  return rows.flatMap((row) => document(row) ?? []);
}

/** How many documents the text index should hold. */
export async function countSearchable(tx: Tx): Promise<number> {
  const counted = await sql<{ count: number }>`
    select count(*) as count from records as r where ${FINDABLE}`.execute(tx.db);
  return counted.rows[0]?.count ?? 0;
}
