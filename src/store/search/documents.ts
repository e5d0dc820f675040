import { sql } from 'kysely';
import type { RecordKind } from '../../domain/kinds.ts';
import { putDocuments, removeDocuments } from '../document.ts';
import type { Document } from '../engine.ts';
import type { Texts } from '../kinds/kind.ts';
import { SEARCHED_KINDS, STORED } from '../kinds/kinds.ts';
import { STRETCH } from '../pauses.ts';
import { countOf, piecesOf } from '../rows.ts';
import { together } from '../statements.ts';
import type { Table } from '../tables.ts';
import { textsOf } from '../texts.ts';
import type { Tx } from '../tx.ts';

const KINDS = sql.join(SEARCHED_KINDS.map((kind) => sql.lit(kind)));

/** Which of `records as r` a search can find: those of the kinds above, unless undone or deleted. */
export const FINDABLE = sql`r.kind in (${KINDS}) and r.retracted_at is null
  and not exists (select 1 from observations as o where o.seq = r.seq and o.deleted_at is not null)`;

/** The documents of these records, without those that no search finds, in the order of their numbers. */
export async function everyDocument(tx: Tx, seqs: number[]): Promise<Document[]> {
  const { rows } = await sql<{ seq: number; kind: RecordKind }>`
    select r.seq, r.kind from (${tx.lists.numbers(seqs)}) as wanted join records as r on r.seq = wanted.id
    where ${FINDABLE}`.execute(tx.db);
  const byKind = Map.groupBy(rows, ({ kind }) => kind);
  const found = await together(...[...byKind].map(([kind, records]) => documentsOf(tx, kind, records)));
  return found.flat().sort((a, b) => a.seq - b.seq);
}

/** Makes records findable by what they say now. The vectors, which a model made of the old texts, are deleted. */
export async function renewDocuments(tx: Tx, seqs: number[]): Promise<void> {
  for (const piece of piecesOf(seqs, STRETCH.rows)) {
    const [documents] = await together(everyDocument(tx, piece), removeDocuments(tx, piece));
    await putDocuments(tx, documents);
  }
}

/** The records whose documents hold the text of one. */
export async function holdersOf(tx: Tx, kind: RecordKind, seq: number): Promise<number[]> {
  const { document, documents, heldBy } = STORED[kind];
  if (document || documents) return [seq];
  return heldBy ? (await heldBy(seq).execute(tx.db)).rows.map((row) => row.seq) : [];
}

/** Reads the texts alone: a search does not fail because of another column that was tampered with (E-4). */
async function documentsOf(tx: Tx, kind: RecordKind, records: { seq: number }[]): Promise<Document[]> {
  const seqs = records.map(({ seq }) => seq);
  const { table, document, documents } = STORED[kind];
  if (documents) return documents(tx, seqs);
  if (!document) return [];
  const columns = ['seq', ...textsOf(table).map(({ column }) => column)].map((column) =>
    sql.ref(`t.${column}`),
  );
  const { rows } = await sql<Texts<Table>>`
    select ${sql.join(columns)}
    from (${tx.lists.numbers(seqs)}) as wanted join ${sql.table(table)} as t on t.seq = wanted.id`.execute(
    tx.db,
  );
  return rows.map((row) => document(row));
}

/** How many documents the text index should hold. */
export async function countSearchable(tx: Tx): Promise<number> {
  return countOf(tx, sql`records as r where ${FINDABLE}`);
}
