import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { ANALYSIS_VERSION } from '../../domain/language/analysis.ts';
import { checkpointDocuments } from '../decisions/checkpoint.ts';
import { decisionDocuments } from '../decisions/decision.ts';
import { evidenceDocuments } from '../decisions/evidence.ts';
import type { Document } from '../engine.ts';
import { memoDocuments } from '../memos/memo.ts';
import { readMeta, writeMeta } from '../meta.ts';
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

/** Records indexed at once: texts may be megabytes long. */
const PAGE = 50;

/** Which of `records as r` can be found: those of a kind that is searched, deleted observations left out. */
export const FINDABLE = sql`r.kind in ('decision', 'observation', 'evidence', 'memo', 'checkpoint')
  and not exists (select 1 from observations as o where o.seq = r.seq and o.deleted_at is not null)`;

/** Whether the text index was made by another version of the analysis than the one that asks it now. */
export async function isIndexStale(tx: Tx): Promise<boolean> {
  return (await readMeta(tx, 'analysis')) !== String(ANALYSIS_VERSION);
}

/** Makes the text index anew when it is stale. */
export async function refreshIndex(tx: Tx): Promise<void> {
  if (await isIndexStale(tx)) await rebuildIndex(tx);
}

/** Makes the text index anew from the records. */
export async function rebuildIndex(tx: Tx): Promise<void> {
  await tx.text.clear(tx.db);
  for (let after = 0; ; ) {
    const rows = await tx.db
      .selectFrom('records')
      .select('seq')
      .where('seq', '>', after)
      .orderBy('seq')
      .limit(PAGE)
      .execute();
    const seqs = rows.map(({ seq }) => seq);
    if (seqs.length === 0) break;
    await tx.text.put(tx.db, await everyDocument(tx, seqs));
    after = seqs.at(-1) as number;
    // Signals and timers get their turn.
    await setImmediate();
  }
  await writeMeta(tx, 'analysis', String(ANALYSIS_VERSION));
}

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
