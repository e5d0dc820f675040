import type { SelectType } from 'kysely';
import { LIMITS } from '../domain/text/text.ts';
import type { Schema } from './schema.ts';
import type { Table } from './tables.ts';

/**
 * What a text column holds, which decides what redaction does with it.
 * - `words`: what a person or a model wrote. Blanked with its record, and searched for what was blanked elsewhere.
 * - `list`: words as a JSON list of strings, each blanked by itself.
 * - `name`: what other records and queries find the row by. Searched as words are, but blanked only where it holds the
 *   secret.
 * - `id`: an id, or numbers as JSON. Neither blanked nor searched: a few letters stand in some id anyway.
 * - `key`: the folded form of the column `name` of its row, computed again when that changes.
 * - `json`: words inside a JSON value, each blanked by itself.
 * - `values`: names and numbers as a JSON object, each name treated as `name`.
 * - `hash`: SHA-256 of the column `content` of its row, computed again when that changes.
 * - `bytes`: no text.
 */
export type TextKind = 'words' | 'list' | 'name' | 'key' | 'values' | 'json' | 'id' | 'hash' | 'bytes';

/** The columns of a table that can hold any text: not a number, and not one of a few words that its type lists. */
export type TextColumn<T extends Table> = {
  [C in keyof Schema[T]]: true extends CanHoldText<Exclude<SelectType<Schema[T][C]>, number | null>>
    ? C
    : never;
}[keyof Schema[T]];

/** An object whose keys are of a listed word must have that key; one whose keys are of any text may have none. */
type CanHoldText<Value> = Value extends string
  ? Record<never, 1> extends Record<Value, 1>
    ? true
    : false
  : true;

/**
 * Every text column, and what it holds. Redaction reads this list alone, so a column that is missing here does not
 * compile: otherwise a secret in it would be neither blanked nor found.
 */
const TEXTS = {
  writers: { author: 'name', host: 'name', client: 'name', session: 'name' },
  records: { uid: 'id' },
  decisions: {
    id: 'id',
    rootId: 'id',
    previousVersionId: 'id',
    basedOn: 'id',
    topic: 'name',
    text: 'words',
    reasoning: 'words',
    scope: 'name',
    // A day, which is nobody's secret.
    revisit: 'id',
    files: 'words',
    branch: 'name',
    outcomeReason: 'words',
  },
  topics: { name: 'name', key: 'key', rootId: 'id' },
  scopes: { name: 'name', key: 'key', scope: 'name' },
  decisionEdges: { fromId: 'id', toId: 'id' },
  outcomes: { decisionId: 'id', reason: 'words' },
  evidence: { id: 'id', decisionRef: 'id', content: 'words' },
  anchors: { id: 'id', hint: 'words', decisionRef: 'id', evidenceRef: 'id' },
  checkpoints: { id: 'id', summary: 'words', nextSteps: 'words', openFiles: 'list' },
  observations: {
    title: 'words',
    content: 'words',
    contentHash: 'hash',
    type: 'name',
    project: 'name',
    scope: 'name',
    topicKey: 'name',
  },
  observationRevisions: { title: 'words', content: 'words', type: 'name' },
  relations: { type: 'name', note: 'words', uid: 'id' },
  keywords: { name: 'name' },
  keywordRelations: {},
  keywordConnections: {},
  memos: { id: 'id', summary: 'words', fullText: 'words', source: 'name' },
  memoRevisions: { summary: 'words', fullText: 'words' },
  memoLinks: {},
  conversations: { sessionId: 'name', previousKeywords: 'id' },
  redactions: {},
  changes: { before: 'values', after: 'values' },
  saves: {},
  // The hashes are of more than the text that is blanked: what came once does not come again as it was.
  origins: { source: 'id', key: 'id', hash: 'id', written: 'id', rest: 'json' },
  vectors: { model: 'name', vector: 'bytes' },
} as const satisfies { [T in Table]: Record<TextColumn<T>, TextKind> };

/** The longest text of a column, in characters, where the database checks it. */
const LONGEST: { [T in Table]?: { [C in TextColumn<T>]?: number } } = {
  memos: { summary: LIMITS.memoSummary, fullText: LIMITS.memoText },
  memoRevisions: { summary: LIMITS.memoSummary, fullText: LIMITS.memoText },
};

/** The text columns of a table, what each holds, and how long a text may be in it. */
export function textsOf(table: Table): { column: string; kind: TextKind; longest: number | undefined }[] {
  const longest: Record<string, number> = LONGEST[table] ?? {};
  return Object.entries(TEXTS[table]).map(([column, kind]) => ({ column, kind, longest: longest[column] }));
}
