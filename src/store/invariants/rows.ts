import { foldName } from '../../domain/text/text.ts';
import { excerptOf } from '../../domain/text/visible.ts';
import { hashOf } from '../observations/observation.ts';
import type { Schema } from '../schema.ts';
import type { Table } from '../tables.ts';
import { toFloats } from '../vector.ts';

/** A row as an export has it: columns in camel case, a vector in base64. */
export type Row = Record<string, unknown>;

/** The fault, each part as it follows its word: "Expected …, found …". */
export interface Broken {
  expected: string;
  found: string;
  /** Whether repair mends it, since it is derived from what is right. */
  mended?: true;
}

/** Rules for the rows of a table besides those for each column. Rules across tables are in `together.ts`. */
interface TableRules<Column extends PropertyKey = string> {
  /** Columns that are derived: repair makes them anew. */
  derived?: Column[];
  /** How people and other records call what a row holds. */
  called: (row: Row) => string;
  /** Rules between the columns of one row; checked when each of them is right by itself. */
  row?: (row: Row) => Broken | undefined;
  /** Values that no two rows may share, by a name; null where a row has none. */
  unique?: Record<string, Key>;
  /** By column: what must be in a row above, as `table.name` of a unique key, and how the row writes that key. */
  refers?: { [C in Column]?: string | [to: string, key: Key] };
}

/** The key of a row, or its link to another row's key. */
export type Key = (row: Row) => unknown;

/** A new table does not compile until it is here. {@link checkRow} reads this list, and so do import and doctor. */
const RULES: { [T in Table]: TableRules<keyof Schema[T]> } = {
  writers: {
    called: ({ id }) => `writer ${id}`,
    unique: { id: ({ id }) => id },
  },
  records: {
    derived: ['kind'],
    called: ({ seq }) => `record ${seq}`,
    unique: { seq: ({ seq }) => seq, uid: ({ uid }) => uid },
    refers: { writer: 'writers.id', session: 'writers.id' },
  },
  decisions: {
    called: (row) => `decision ${row.id}`,
    row: versionProblem,
    unique: {
      id: ({ id }) => id,
      root: ({ id, version }) => (version === 1 ? id : null),
      version: ({ rootId, version }) => `${rootId} ${version}`,
      previous: ({ rootId, version, id }) => `${rootId} ${version} ${id}`,
      topic: ({ version, topic }) => (version === 1 ? topic : null),
      'active version': ({ rootId, isActive }) => (isActive ? rootId : null),
    },
    refers: {
      seq: 'records.seq',
      rootId: 'decisions.id',
      previousVersionId: [
        'decisions.previous',
        ({ rootId, previousVersion, previousVersionId }) =>
          previousVersionId === null ? null : `${rootId} ${previousVersion} ${previousVersionId}`,
      ],
    },
  },
  topics: {
    called: ({ name }) => `the topic "${name}"`,
    row: nameProblem,
    unique: { name: ({ name }) => name, key: ({ key }) => key },
    refers: { rootId: 'decisions.root' },
  },
  scopes: {
    called: ({ name }) => `the scope "${name}"`,
    row: nameProblem,
    unique: { name: ({ name }) => name, key: ({ key }) => key },
  },
  decisionEdges: {
    called: ({ fromId, relationship }) => `the link "${relationship}" of decision ${fromId}`,
    row: ({ fromId, toId }) =>
      fromId === toId ? { expected: 'a link to another decision', found: 'one to itself' } : undefined,
    refers: { fromId: 'decisions.id', toId: 'decisions.id' },
  },
  outcomes: {
    called: ({ decisionId }) => `an outcome of decision ${decisionId}`,
    refers: { seq: 'records.seq', decisionId: 'decisions.id' },
  },
  evidence: {
    called: (row) => `evidence ${row.id}`,
    unique: { id: ({ id }) => id },
    refers: { seq: 'records.seq', decisionRef: 'decisions.id' },
  },
  anchors: {
    called: (row) => `anchor ${row.id}`,
    row: ({ type, decisionRef, evidenceRef }) => {
      const [wanted, other] =
        type === 'decision_link' ? [decisionRef, evidenceRef] : [evidenceRef, decisionRef];
      if (wanted !== null && other === null) return undefined;
      const found = wanted === null ? 'none of it' : 'another one too';
      return { expected: `one target of the type ${type}`, found };
    },
    unique: { id: ({ id }) => id },
    refers: { seq: 'records.seq', decisionRef: 'decisions.id', evidenceRef: 'evidence.id' },
  },
  checkpoints: {
    called: (row) => `checkpoint ${row.id}`,
    unique: { id: ({ id }) => id },
    refers: { seq: 'records.seq' },
  },
  observations: {
    derived: ['contentHash', 'revisionCount'],
    called: (row) => `observation ${row.id}`,
    row: ({ content, contentHash }) =>
      hashOf(String(content)) === contentHash
        ? undefined
        : { expected: 'contentHash to be the SHA-256 of the content', found: 'another', mended: true },
    unique: {
      id: ({ id }) => id,
      seq: ({ seq }) => seq,
      topicKey: ({ project, scope, topicKey, deletedAt }) =>
        topicKey === null || deletedAt !== null ? null : JSON.stringify([project, scope, topicKey]),
    },
    refers: { seq: 'records.seq', writer: 'writers.id' },
  },
  observationRevisions: {
    called: ({ observationId, revision }) => `revision ${revision} of observation ${observationId}`,
    refers: { observationId: 'observations.id', writer: 'writers.id' },
  },
  relations: {
    called: (row) => `relation ${row.id}`,
    row: ({ fromId, toId }) =>
      fromId === toId ? { expected: 'a relation to another observation', found: 'one to itself' } : undefined,
    unique: { relation: ({ fromId, toId, type }) => `${fromId} ${toId} ${type}`, uid: ({ uid }) => uid },
    refers: { fromId: 'observations.id', toId: 'observations.id', writer: 'writers.id' },
  },
  keywords: {
    called: ({ seq }) => `keyword:${seq}`,
    unique: { seq: ({ seq }) => seq, name: ({ name }) => name },
    refers: { seq: 'records.seq' },
  },
  keywordRelations: {
    called: ({ fromSeq, toSeq, type }) => `${type} from keyword:${fromSeq} to keyword:${toSeq}`,
    row: relationProblem,
    refers: { fromSeq: 'keywords.seq', toSeq: 'keywords.seq' },
  },
  keywordConnections: {
    derived: ['strength', 'lastAt'],
    called: ({ keywordSeq, neighbourSeq }) =>
      `the connection of keyword:${keywordSeq} to keyword:${neighbourSeq}`,
    refers: { keywordSeq: 'keywords.seq', neighbourSeq: 'keywords.seq' },
  },
  memos: {
    called: (row) => `memo ${row.id}`,
    unique: { id: ({ id }) => id, seq: ({ seq }) => seq },
    refers: { seq: 'records.seq' },
  },
  memoRevisions: {
    called: ({ memoSeq, revision }) => `revision ${revision} of memo record ${memoSeq}`,
    refers: { memoSeq: 'memos.seq' },
  },
  memoLinks: {
    called: ({ memoSeq, keywordSeq }) => `the link of memo record ${memoSeq} to keyword:${keywordSeq}`,
    row: ({ depth, viaSeq }) =>
      (depth === 0) === (viaSeq === null)
        ? undefined
        : { expected: 'a keyword over which it was found, at every depth but 0', found: `depth ${depth}` },
    refers: { memoSeq: 'memos.seq', keywordSeq: 'keywords.seq', viaSeq: 'keywords.seq' },
  },
  conversations: {
    derived: ['previousKeywords'],
    called: ({ sessionId }) => `the conversation "${sessionId}"`,
    refers: { lastMemoSeq: 'memos.seq' },
  },
  redactions: {
    called: ({ recordSeq }) => `the redaction of record ${recordSeq}`,
    refers: { seq: 'records.seq' },
  },
  changes: {
    called: ({ seq }) => `change ${seq}`,
    refers: { writer: 'writers.id' },
  },
  saves: {
    called: ({ id }) => `save ${id}`,
    row: saveProblem,
    unique: { id: ({ id }) => id, 'save to undo': ({ undoes }) => undoes },
    refers: { writer: 'writers.id', undoes: 'saves.id' },
  },
  origins: {
    called: ({ source, key }) => `the origin ${source} ${key}`,
    row: ({ recordSeq, relationId }) =>
      recordSeq === null || relationId === null
        ? undefined
        : { expected: 'a record or a relation', found: 'both' },
  },
  keptFacts: { called: ({ kind, id }) => `the kept fact ${kind} ${id}` },
  vectors: {
    derived: ['model', 'dimensions', 'vector'],
    called: ({ seq }) => `the vector of record ${seq}`,
    row: vectorProblem,
    refers: { seq: 'records.seq' },
  },
};

/** A save wrote something, and says from where to where. */
function saveProblem({ firstRecord, lastRecord, firstChange, lastChange }: Row): Broken | undefined {
  const isRange = (first: unknown, last: unknown) =>
    first === null ? last === null : last !== null && Number(first) <= Number(last);
  if (isRange(firstRecord, lastRecord) && isRange(firstChange, lastChange)) return undefined;
  return { expected: 'numbers from a first to a last', found: 'others' };
}

function vectorProblem({ dimensions, vector }: Row): Broken | undefined {
  const bytes = Buffer.from(String(vector), 'base64');
  if (bytes.length !== Number(dimensions) * 4 || bytes.toString('base64') !== vector) {
    const expected = `four bytes for each of its ${dimensions} dimensions`;
    return { expected, found: `${bytes.length} bytes`, mended: true };
  }
  if (toFloats(bytes).every(Number.isFinite)) return undefined;
  return { expected: 'numbers', found: 'one that is infinite or not a number', mended: true };
}

/** A version by itself: its number, the one before it, and whether it may be active (D-2, D-4, D-15). */
function versionProblem(row: Row): Broken | undefined {
  const { id, rootId, version, previousVersion, previousVersionId, isActive, withdrawn } = row;
  const isFirst = version === 1;
  if (isFirst !== (rootId === id)) {
    const expected = isFirst ? 'version 1 to be the root of its chain' : 'version 1 as the root of a chain';
    return { expected, found: `version ${version} with the root ${rootId}` };
  }
  if (
    previousVersion !== (isFirst ? null : Number(version) - 1) ||
    (previousVersionId === null) !== isFirst
  ) {
    const expected = isFirst
      ? 'no version before version 1'
      : `version ${Number(version) - 1} before version ${version}`;
    return {
      expected,
      found: `version ${previousVersion ?? 'none'} with the id ${previousVersionId ?? 'none'}`,
    };
  }
  if (withdrawn === 1 && (isActive === 1 || isFirst)) {
    const found = isFirst ? 'version 1' : 'one that is active';
    return { expected: 'a version that withdraws to be a later one that is not active', found };
  }
  return undefined;
}

/** A name has the folded key, or none where an earlier one has it (D-19). */
function nameProblem({ name, key }: Row): Broken | undefined {
  const expected = foldName(String(name));
  return key === null || key === expected
    ? undefined
    : { expected: `the key "${excerptOf(expected, 60)}", or none`, found: 'another' };
}

function relationProblem({ fromSeq, toSeq, type }: Row): Broken | undefined {
  if (fromSeq === toSeq) return { expected: 'a relation to another keyword', found: 'one to itself' };
  if (type !== 'CO_OCCURS' || Number(fromSeq) < Number(toSeq)) return undefined;
  return { expected: 'CO_OCCURS from the keyword with the lower number', found: 'it from the higher one' };
}

/** The rules of a table, for any table. */
export const rulesOf = (table: Table): TableRules => RULES[table];
