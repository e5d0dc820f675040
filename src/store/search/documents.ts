import { sql } from 'kysely';
import type { RecordKind } from '../../domain/change.ts';
import { checkpointDocuments } from '../decisions/checkpoint.ts';
import { decisionDocuments } from '../decisions/decision-document.ts';
import { evidenceDocuments } from '../decisions/evidence.ts';
import type { Document } from '../engine.ts';
import { memoDocuments } from '../memos/memo.ts';
import { observationDocuments } from '../observations/observation.ts';
import { countingByKind } from '../record.ts';
import { together } from '../statements.ts';
import type { Tx } from '../tx.ts';

/** The kinds of record that are searched, and what of each. */
const SEARCHED: Partial<Record<RecordKind, (tx: Tx, seqs: number[]) => Promise<Document[]>>> = {
  decision: decisionDocuments,
  observation: observationDocuments,
  evidence: evidenceDocuments,
  checkpoint: checkpointDocuments,
  memo: memoDocuments,
};

const KINDS = sql.join(Object.keys(SEARCHED).map((kind) => sql.lit(kind)));

/** Which of `records as r` a search can find: those of the kinds above, without mistakes and what was deleted. */
export const FINDABLE = sql`r.kind in (${KINDS}) and r.retracted_at is null
  and not exists (select 1 from observations as o where o.seq = r.seq and o.deleted_at is not null)`;

/** The documents of these records, without those that no search finds, in the order of their numbers. */
export async function everyDocument(tx: Tx, seqs: number[]): Promise<Document[]> {
  const kinds = await countingByKind(tx, seqs);
  const found = await together(...[...kinds].map(([kind, counting]) => SEARCHED[kind]?.(tx, counting) ?? []));
  return found.flat().sort((a, b) => a.seq - b.seq);
}

/** How many documents the text index should hold. */
export async function countSearchable(tx: Tx): Promise<number> {
  const counted = await sql<{ count: number }>`
    select count(*) as count from records as r where ${FINDABLE}`.execute(tx.db);
  return counted.rows[0]?.count ?? 0;
}
