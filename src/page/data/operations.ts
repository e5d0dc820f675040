import type * as z from 'zod';
import type { decisionGraph } from '../../operations/decisions/decision-graph.ts';
import type { decisionList } from '../../operations/decisions/decision-list.ts';
import type { decisionRevise } from '../../operations/decisions/decision-revise.ts';
import type { evidenceSave } from '../../operations/decisions/evidence-save.ts';
import type { mamaFiles } from '../../operations/decisions/mama-files.ts';
import type { mamaUpdate } from '../../operations/decisions/mama-update.ts';
import type { scopeList } from '../../operations/decisions/scope-list.ts';
import type { keywordGraph } from '../../operations/memos/keyword-graph.ts';
import type { memoEdit } from '../../operations/memos/memo-edit.ts';
import type { memoList } from '../../operations/memos/memo-list.ts';
import type { memBuildContext } from '../../operations/observations/mem-build-context.ts';
import type { memList } from '../../operations/observations/mem-list.ts';
import type { memStats } from '../../operations/observations/mem-stats.ts';
import type { memUpdate } from '../../operations/observations/mem-update.ts';
import type { activity } from '../../operations/reads/activity.ts';
import type { authorList } from '../../operations/reads/author-list.ts';
import type { changedSince } from '../../operations/reads/changed-since.ts';
import type { sessionList } from '../../operations/reads/session-list.ts';
import type { show } from '../../operations/reads/show.ts';
import type { timeline } from '../../operations/reads/timeline.ts';
import type { review } from '../../operations/review.ts';
import type { reviewed } from '../../operations/reviewed.ts';
import type { search } from '../../operations/search.ts';
import type { undo } from '../../operations/undo.ts';

/** The operations that the page calls. Only their types are imported: no server code is in the page. */
export interface Operations {
  activity: typeof activity;
  author_list: typeof authorList;
  changed_since: typeof changedSince;
  decision_graph: typeof decisionGraph;
  decision_list: typeof decisionList;
  decision_revise: typeof decisionRevise;
  evidence_save: typeof evidenceSave;
  keyword_graph: typeof keywordGraph;
  mama_files: typeof mamaFiles;
  mama_update: typeof mamaUpdate;
  mem_build_context: typeof memBuildContext;
  mem_list: typeof memList;
  mem_stats: typeof memStats;
  mem_update: typeof memUpdate;
  memo_edit: typeof memoEdit;
  memo_list: typeof memoList;
  review: typeof review;
  reviewed: typeof reviewed;
  scope_list: typeof scopeList;
  search: typeof search;
  session_list: typeof sessionList;
  show: typeof show;
  timeline: typeof timeline;
  undo: typeof undo;
}

export type Input<Name extends keyof Operations> = z.input<Operations[Name]['input']>;
export type Result<Name extends keyof Operations> = z.output<Operations[Name]['output']>;

/** The field that asks an operation about the past. Operations without one always answer as of today. */
export const AS_OF_FIELD: Partial<Record<keyof Operations, 'asOf' | 'as_of'>> = {
  activity: 'asOf',
  author_list: 'asOf',
  decision_graph: 'asOf',
  decision_list: 'asOf',
  mama_files: 'as_of',
  mem_build_context: 'as_of',
  mem_list: 'as_of',
  mem_stats: 'as_of',
  memo_list: 'asOf',
  scope_list: 'asOf',
  search: 'as_of',
  show: 'asOf',
  timeline: 'asOf',
};

export type Decision = Result<'decision_list'>['decisions'][number];
export type Shown = NonNullable<Result<'show'>['decision']>;
export type Version = Shown['versions'][number];
export type Link = Shown['dependsOn'][number];
export type Graph = Result<'decision_graph'>;
export type GraphNode = Graph['nodes'][number];
export type Outcome = Version['outcomes'][number]['outcome'];
export type Logged = Result<'timeline'>['entries'][number];
export type Activity = Result<'activity'>;
export type WaitingGroup = Result<'review'>['groups'][number];
export type WaitingItem = WaitingGroup['items'][number];
export type Found = Result<'search'>['results'][number];
