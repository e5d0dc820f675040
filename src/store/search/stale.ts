import { ANALYSIS_VERSION } from '../../domain/language/analysis.ts';
import { COLUMN_WEIGHTS } from '../../domain/ranking/weights.ts';
import { readMeta } from '../meta.ts';
import type { Tx } from '../tx.ts';

/** What a text index is built with: each choice that any engine stores in it. Another one makes an index stale. */
export const INDEX_VERSION = [ANALYSIS_VERSION, ...Object.values(COLUMN_WEIGHTS)].join('/');

/** Whether the text index was built with another analysis or other weights than searches use now. */
export async function isIndexStale(tx: Tx): Promise<boolean> {
  return (await readMeta(tx, 'analysis')) !== INDEX_VERSION;
}
