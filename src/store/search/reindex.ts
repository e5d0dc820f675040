import { setImmediate } from 'node:timers/promises';
import { ANALYSIS_VERSION } from '../../domain/language/analysis.ts';
import { COLUMN_WEIGHTS } from '../../domain/ranking/weights.ts';
import { readMeta, writeMeta } from '../meta.ts';
import type { Tx } from '../tx.ts';
import { everyDocument } from './documents.ts';

/** What the text index was made with: every choice that is stored in it, on any engine. */
const INDEX_VERSION = [ANALYSIS_VERSION, COLUMN_WEIGHTS.title, COLUMN_WEIGHTS.body].join('/');

/** Records indexed at once: texts may be megabytes long. */
const PAGE = 50;

/** Whether the text index was made with another analysis or other weights than those it is asked with now. */
export async function isIndexStale(tx: Tx): Promise<boolean> {
  return (await readMeta(tx, 'analysis')) !== INDEX_VERSION;
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
  await writeMeta(tx, 'analysis', INDEX_VERSION);
}
