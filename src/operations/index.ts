import type * as z from 'zod';
import { invalid } from '../domain/error.ts';
import { anchorSave } from './decisions/anchor-save.ts';
import { decisionGet } from './decisions/decision-get.ts';
import { decisionGraph } from './decisions/decision-graph.ts';
import { decisionList } from './decisions/decision-list.ts';
import { decisionRetrieve } from './decisions/decision-retrieve.ts';
import { decisionRevise } from './decisions/decision-revise.ts';
import { decisionSave } from './decisions/decision-save.ts';
import { decisionSettle } from './decisions/decision-settle.ts';
import { evidenceSave } from './decisions/evidence-save.ts';
import { mamaFiles } from './decisions/mama-files.ts';
import { mamaLoadCheckpoint } from './decisions/mama-load-checkpoint.ts';
import { mamaSave } from './decisions/mama-save.ts';
import { mamaSearch } from './decisions/mama-search.ts';
import { mamaUpdate } from './decisions/mama-update.ts';
import { deleteRecord } from './delete.ts';
import { briefingGet } from './hooks/briefing-get.ts';
import { briefingList } from './hooks/briefing-list.ts';
import { briefingRecord } from './hooks/briefing-record.ts';
import { marksSave } from './marks-save.ts';
import { keywordGraph } from './memos/keyword-graph.ts';
import { keywordsRecord } from './memos/keywords-record.ts';
import { memoEdit } from './memos/memo-edit.ts';
import { memoExpand } from './memos/memo-expand.ts';
import { memoList } from './memos/memo-list.ts';
import { memoSave } from './memos/memo-save.ts';
import { memBuildContext } from './observations/mem-build-context.ts';
import { memGetObservation } from './observations/mem-get-observation.ts';
import { memList } from './observations/mem-list.ts';
import { memRelate } from './observations/mem-relate.ts';
import { memRelations } from './observations/mem-relations.ts';
import { memSave } from './observations/mem-save.ts';
import { memSearch } from './observations/mem-search.ts';
import { memStats } from './observations/mem-stats.ts';
import { memUnrelate } from './observations/mem-unrelate.ts';
import { memUpdate } from './observations/mem-update.ts';
import type { Operation } from './operation.ts';
import { changedSince } from './reads/changed-since.ts';
import { history } from './reads/history.ts';
import { listNames } from './reads/list-names.ts';
import { show } from './reads/show.ts';
import { timeline } from './reads/timeline.ts';
import { recall } from './recall.ts';
import { rename } from './rename.ts';
import { review } from './review.ts';
import { reviewed } from './reviewed.ts';
import { search } from './search.ts';
import { undelete } from './undelete.ts';
import { undo } from './undo.ts';

const all = [
  recall,
  search,
  timeline,
  show,
  history,
  listNames,
  changedSince,
  review,
  reviewed,
  marksSave,
  undo,
  rename,
  deleteRecord,
  undelete,
  mamaSave,
  mamaSearch,
  mamaUpdate,
  mamaLoadCheckpoint,
  decisionSave,
  decisionRevise,
  decisionSettle,
  decisionGet,
  decisionRetrieve,
  decisionList,
  decisionGraph,
  mamaFiles,
  evidenceSave,
  anchorSave,
  memSave,
  memSearch,
  memList,
  memGetObservation,
  memUpdate,
  memRelate,
  memUnrelate,
  memRelations,
  memBuildContext,
  memStats,
  keywordsRecord,
  memoSave,
  memoExpand,
  memoList,
  memoEdit,
  keywordGraph,
  briefingGet,
  briefingList,
  briefingRecord,
] as const;

/** The operations with their own types, for the methods of the library. */
export type Operations = typeof all;
/** Each of them by its name. */
export type Named = { [Each in Operations[number] as Each['name']]: Each };
/** What an operation is asked, for who calls it by its name. */
export type Input<Name extends keyof Named> = z.input<Named[Name]['input']>;
/** What it answers. */
export type Result<Name extends keyof Named> = z.output<Named[Name]['output']>;

/** Every operation, in the order in which faces show them. An operation added above appears in every face. */
export const operations = all as unknown as readonly Operation[];

const byName = new Map(operations.map((operation) => [operation.name, operation]));

/** The operation of this name, `mama_save`; undefined for an unknown one. */
export function findOperation(name: string): Operation | undefined {
  return byName.get(name);
}

/** @throws PrecedentError `invalid` for an unknown name */
export function requireOperation(name: string): Operation {
  const operation = findOperation(name);
  if (operation) return operation;
  throw invalid.not_one_of(
    `Expected one of these operations: ${[...byName.keys()].join(', ')}; found "${name}".`,
  );
}

/** The operations that models can be offered; the others are for people and programs. */
export const tools = operations.filter(({ tool }) => tool !== false);
