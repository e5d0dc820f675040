import { anchorSave } from './anchor-save.ts';
import { decisionGet } from './decision-get.ts';
import { decisionRetrieve } from './decision-retrieve.ts';
import { decisionRevise } from './decision-revise.ts';
import { decisionSave } from './decision-save.ts';
import { evidenceSave } from './evidence-save.ts';
import { keywordsRecord } from './keywords-record.ts';
import { mamaLoadCheckpoint } from './mama-load-checkpoint.ts';
import { mamaSave } from './mama-save.ts';
import { mamaSearch } from './mama-search.ts';
import { mamaUpdate } from './mama-update.ts';
import { memBuildContext } from './mem-build-context.ts';
import { memDelete } from './mem-delete.ts';
import { memGetObservation } from './mem-get-observation.ts';
import { memRelate } from './mem-relate.ts';
import { memRelations } from './mem-relations.ts';
import { memSave } from './mem-save.ts';
import { memSearch } from './mem-search.ts';
import { memStats } from './mem-stats.ts';
import { memUnrelate } from './mem-unrelate.ts';
import { memUpdate } from './mem-update.ts';
import { memoExpand } from './memo-expand.ts';
import { memoList } from './memo-list.ts';
import { memoSave } from './memo-save.ts';
import type { Operation } from './operation.ts';
import { recall } from './recall.ts';
import { search } from './search.ts';

/** Every operation, in the order in which faces show them. Adding one here gives it to every face. */
export const operations = [
  recall,
  search,
  mamaSave,
  mamaSearch,
  mamaUpdate,
  mamaLoadCheckpoint,
  decisionSave,
  decisionRevise,
  decisionGet,
  decisionRetrieve,
  evidenceSave,
  anchorSave,
  memSave,
  memSearch,
  memGetObservation,
  memUpdate,
  memDelete,
  memRelate,
  memUnrelate,
  memRelations,
  memBuildContext,
  memStats,
  keywordsRecord,
  memoSave,
  memoExpand,
  memoList,
] as const;

/** Those that are offered to models; the others are for people and programs. */
export const tools: readonly Operation[] = (operations as unknown as readonly Operation[]).filter(
  ({ tool }) => tool !== false,
);
