import { ANALYSIS_VERSION } from '../domain/language/analysis.ts';
import { COLUMN_WEIGHTS } from '../domain/ranking/weights.ts';
import { readMeta } from './meta.ts';
import type { Tx } from './tx.ts';

/** Which texts of records are searched. Raise it with any change there. */
const DOCUMENTS_VERSION = 3;

/** The choices that a text index is built with. Any other choice makes it stale. */
export const INDEX_VERSION = [ANALYSIS_VERSION, DOCUMENTS_VERSION, ...Object.values(COLUMN_WEIGHTS)].join(
  '/',
);

/** Whether the text index was built with another analysis or other weights than searches use now. */
export async function isIndexStale(tx: Tx): Promise<boolean> {
  return (await readMeta(tx, 'analysis')) !== INDEX_VERSION;
}
