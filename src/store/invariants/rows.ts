import { CHANGE_KINDS } from '../../domain/change.ts';
import { RECORD_KINDS } from '../../domain/kinds.ts';
import { TABLE_NAMES, type Table } from '../tables.ts';
import { toFloats } from '../vector.ts';
import * as decisions from './decision-rows.ts';
import * as others from './other-rows.ts';
import type { Broken, Key, Row, TableRules } from './value.ts';
import { count, id, json, label, number, oneOf, optional, type Rule, sha256, time, values } from './value.ts';

const records: TableRules<'records'> = {
  columns: {
    seq: number,
    kind: oneOf(RECORD_KINDS),
    session: number,
    writer: number,
    retractedAt: optional(time),
    uid: optional(id),
  },
  derived: ['kind'],
  called: ({ seq }) => `record ${seq}`,
  unique: { seq: ({ seq }) => seq, uid: ({ uid }) => uid },
  refers: { writer: 'writers.id', session: 'writers.id' },
};

const writers: TableRules<'writers'> = {
  columns: { id: number, author: label, host: label, client: label, session: label },
  called: ({ id }) => `writer ${id}`,
  unique: { id: ({ id }) => id },
};

const changes: TableRules<'changes'> = {
  columns: {
    seq: number,
    recordSeq: optional(number),
    kind: oneOf(CHANGE_KINDS),
    before: optional(values),
    after: optional(values),
    createdAt: time,
    writer: number,
  },
  called: ({ seq }) => `change ${seq}`,
  refers: { writer: 'writers.id' },
};

const saves: TableRules<'saves'> = {
  columns: {
    id: number,
    writer: number,
    createdAt: time,
    firstRecord: optional(number),
    lastRecord: optional(number),
    firstChange: optional(number),
    lastChange: optional(number),
    undoes: optional(number),
  },
  called: ({ id }) => `save ${id}`,
  row: saveProblem,
  unique: { id: ({ id }) => id, 'save to undo': ({ undoes }) => undoes },
  refers: { writer: 'writers.id', undoes: 'saves.id' },
};

/** A save wrote something, and says from where to where. */
function saveProblem({ firstRecord, lastRecord, firstChange, lastChange }: Row): Broken | undefined {
  const isRange = (first: unknown, last: unknown) =>
    first === null ? last === null : last !== null && Number(first) <= Number(last);
  if (isRange(firstRecord, lastRecord) && isRange(firstChange, lastChange)) return undefined;
  return { expected: 'numbers from a first to a last', found: 'others' };
}

const redactions: TableRules<'redactions'> = {
  columns: { seq: number, recordSeq: number, createdAt: time },
  called: ({ recordSeq }) => `the redaction of record ${recordSeq}`,
  refers: { seq: 'records.seq' },
};

const origins: TableRules<'origins'> = {
  columns: {
    source: id,
    key: id,
    recordSeq: optional(number),
    relationId: optional(number),
    hash: sha256,
    written: sha256,
    rest: optional(json),
  },
  called: ({ source, key }) => `the origin ${source} ${key}`,
  row: ({ recordSeq, relationId }) =>
    recordSeq === null || relationId === null
      ? undefined
      : { expected: 'a record or a relation', found: 'both' },
};

const vectors: TableRules<'vectors'> = {
  columns: {
    seq: number,
    model: label,
    dimensions: count(1),
    vector: (value) => (typeof value === 'string' ? undefined : 'bytes in base64'),
  },
  derived: ['model', 'dimensions', 'vector'],
  called: ({ seq }) => `the vector of record ${seq}`,
  row: vectorProblem,
  refers: { seq: 'records.seq' },
};

function vectorProblem({ dimensions, vector }: Row): Broken | undefined {
  const bytes = Buffer.from(String(vector), 'base64');
  if (bytes.length !== Number(dimensions) * 4 || bytes.toString('base64') !== vector) {
    const expected = `four bytes for each of its ${dimensions} dimensions`;
    return { expected, found: `${bytes.length} bytes`, mended: true };
  }
  if (toFloats(bytes).every(Number.isFinite)) return undefined;
  return { expected: 'numbers', found: 'one that is infinite or none', mended: true };
}

/**
 * What a memory may hold, table by table: each column, each row, and what rows refer to. A new table or column does not
 * compile until it is here. {@link checkRow} reads this list, and so do import and doctor.
 */
const RULES: { [T in Table]: TableRules<T> } = {
  writers,
  records,
  ...decisions,
  ...others,
  redactions,
  changes,
  saves,
  origins,
  vectors,
};

/** The rules of a table, for any table. */
export interface AnyRules extends Omit<TableRules<Table>, 'columns' | 'refers' | 'derived'> {
  columns: Record<string, Rule>;
  /** Of its columns. */
  names: string[];
  refers?: Record<string, string | [to: string, key: Key]>;
  derived?: string[];
}

const ANY = Object.fromEntries(
  TABLE_NAMES.map((table) => {
    const rules: Omit<AnyRules, 'names'> = RULES[table];
    return [table, { ...rules, names: Object.keys(rules.columns) }];
  }),
) as Record<Table, AnyRules>;

export function rulesOf(table: Table): AnyRules {
  return ANY[table];
}
