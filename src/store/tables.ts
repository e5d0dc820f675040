import { COLUMNS, type Schema } from './schema.ts';

export type Table = keyof typeof COLUMNS;
/** Every table, in an order in which each row finds what it refers to. */
export const TABLE_NAMES = Object.keys(COLUMNS) as Table[];

/** The columns that order the rows of each table: its key. */
export const TABLES = {
  writers: ['id'],
  records: ['seq'],
  decisions: ['seq'],
  topics: ['name'],
  scopes: ['name'],
  decisionEdges: ['fromId', 'toId', 'relationship'],
  outcomes: ['seq'],
  evidence: ['seq'],
  anchors: ['seq'],
  checkpoints: ['seq'],
  observations: ['id'],
  observationRevisions: ['observationId', 'revision'],
  relations: ['id'],
  keywords: ['seq'],
  keywordRelations: ['fromSeq', 'toSeq', 'type'],
  keywordConnections: ['keywordSeq', 'neighbourSeq'],
  memos: ['seq'],
  memoRevisions: ['memoSeq', 'revision'],
  memoLinks: ['memoSeq', 'keywordSeq'],
  conversations: ['sessionId'],
  redactions: ['seq'],
  changes: ['seq'],
  saves: ['id'],
  origins: ['source', 'key'],
  vectors: ['seq'],
  keptFacts: ['format', 'kind', 'id'],
} satisfies { [T in Table]: (keyof Schema[T])[] };

/** Tables whose numbers are given out one after the other, and never twice. */
export const NUMBERED = [
  'writers',
  'records',
  'observations',
  'relations',
  'changes',
  'saves',
] as const satisfies Table[];

/** A name as the database has it (D-6). */
export const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
