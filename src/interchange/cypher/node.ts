import type { RawBuilder } from 'kysely';
import { RECORD_KINDS, type RecordKind } from '../../domain/kinds.ts';
import type { Label, NodeKey } from './statement.ts';

/** The kinds that have nodes: that something was redacted is in no graph. */
export const GRAPH_KINDS = RECORD_KINDS.filter((kind) => kind !== 'redaction');

/** The label of a kind: its name, but for memos. */
export function labelOf(kind: RecordKind): Label {
  return kind === 'memo' ? '_Info' : (`${kind.charAt(0).toUpperCase()}${kind.slice(1)}` as Label);
}

/** The property that identifies the nodes of each label. */
export const KEYS = {
  ...(Object.fromEntries(GRAPH_KINDS.map((kind) => [labelOf(kind), 'id'])) as Record<Label, string>),
  Keyword: 'name',
  Session: 'id',
  Writer: 'id',
  Revision: 'id',
};

/** A row of a table, its columns in camel case. */
export type Row = Record<string, string | number | null | undefined>;

/** One part of the export: the rows of a range of records, and the statement for each row. */
export interface Part {
  rows(within: (column: string) => RawBuilder<unknown>): RawBuilder<unknown>;
  write(row: Row): string;
}

/** A node of a label, by what identifies it. */
export function node(label: Label, value: string | number | null | undefined): NodeKey {
  return { label, key: KEYS[label], value: value as string | number };
}
