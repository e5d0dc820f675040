import type { Schema } from '../schema.ts';
import type { Table } from '../tables.ts';
import type { Rule } from './value.ts';

/** A row as an export has it: columns in camel case, a vector in base64. */
export type Row = Record<string, unknown>;

/** What is wrong, each part as it follows its word: "Expected …, found …". */
export interface Broken {
  expected: string;
  found: string;
  /** Whether repair mends it, since it is derived from what is right. */
  mended?: true;
}

/** What a table asks of its rows. What rows ask of each other across tables is in the files `*-together.ts`. */
export interface TableRules<T extends Table> {
  /** What each column may hold, in the order in which an export has them. */
  columns: { [Column in keyof Schema[T]]: Rule };
  /** Columns that are derived: repair makes them anew. */
  derived?: (keyof Schema[T])[];
  /** How people and other records call what a row holds. */
  called: (row: Row) => string;
  /** What the columns of one row ask of each other; looked at when each of them is right by itself. */
  row?: (row: Row) => Broken | undefined;
  /** What no two rows may share, by a name; null where a row has none. */
  unique?: Record<string, Key>;
  /** By column: what must be in a row above, as `table.name` of a unique key, and how the row writes that key. */
  refers?: Partial<Record<keyof Schema[T], string | [to: string, key: Key]>>;
}

/** The key of a row, or its link to another row's key. */
export type Key = (row: Row) => unknown;
