import { sql } from 'kysely';
import { checkpointDocuments } from '../decisions/checkpoint.ts';
import { decisionDocuments } from '../decisions/decision.ts';
import { evidenceDocuments } from '../decisions/evidence.ts';
import type { Document } from '../engine.ts';
import { memoDocuments } from '../memos/memo.ts';
import { observationDocuments } from '../observations/observation.ts';
import type { Tx } from '../tx.ts';

/** Every kind of record that is searched. */
const SEARCHABLE: ((tx: Tx, seqs: number[]) => Promise<Document[]>)[] = [
  decisionDocuments,
  observationDocuments,
  evidenceDocuments,
  checkpointDocuments,
  memoDocuments,
];

/** Which of `records as r` can be found: those of a kind that is searched, deleted observations left out. */
export const FINDABLE = sql`r.kind in ('decision', 'observation', 'evidence', 'memo', 'checkpoint')
  and not exists (select 1 from observations as o where o.seq = r.seq and o.deleted_at is not null)`;

/** The documents of those of these records that can be found, in the order of their numbers. */
export async function everyDocument(tx: Tx, seqs: number[]): Promise<Document[]> {
  const found = await Promise.all(SEARCHABLE.map((documents) => documents(tx, seqs)));
  return found.flat().sort((a, b) => a.seq - b.seq);
}

/** How many documents the text index should hold. */
export async function countSearchable(tx: Tx): Promise<number> {
  const counted = await sql<{ count: number }>`
    select count(*) as count from records as r where ${FINDABLE}`.execute(tx.db);
  return counted.rows[0]?.count ?? 0;
}
