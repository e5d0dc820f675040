import type { RawBuilder } from 'kysely';
import type { Label, NodeKey } from './statement.ts';

/** The property that identifies the nodes of each label. */
export const KEYS: Record<Label, string> = {
  _Info: 'id',
  Keyword: 'name',
  Session: 'id',
  Writer: 'id',
  Decision: 'id',
  Evidence: 'id',
  Anchor: 'id',
  Outcome: 'id',
  Checkpoint: 'id',
  Observation: 'id',
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
