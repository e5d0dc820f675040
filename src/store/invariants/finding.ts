import { excerptOf } from '../../domain/text/visible.ts';
import { TABLES, type Table } from '../tables.ts';
import { textsOf } from '../texts.ts';
import { rulesOf } from './rows.ts';
import type { Broken, Row } from './rule.ts';

/** A rule that a row breaks. */
export interface Finding extends Broken {
  table: Table;
  /** Its key, by which {@link TABLES} sorts. */
  key: Row;
  /** How people call what it holds: `decision 0f8b…`. */
  record: string;
  /** Where it is in a stream, when that is not the line that is read. */
  line?: number;
}

/** Characters of a value that a message shows. */
const SHOWN = 60;

export function findingOf(table: Table, row: Row, broken: Broken): Finding {
  const key = Object.fromEntries(TABLES[table].map((column) => [column, row[column]]));
  const isNamed = !Object.values(key).includes(undefined);
  const record = isNamed ? rulesOf(table).called(row) : `a row of ${table}`;
  return { ...broken, table, key, record: excerptOf(record, 2 * SHOWN) };
}

/** What is wrong in one line, beginning with the record. */
export function lineOf({ record, expected, found }: Broken & { record: string }): string {
  return `${record}: expected ${expected}, found ${found}`;
}

/** A value of a column as a message shows it: texts of people are only counted, since messages are logged. */
export function shownValue(table: Table, column: string, value: unknown): string {
  if (value === undefined) return 'no column of that name';
  if (value === null) return 'nothing';
  if (typeof value === 'object') return Array.isArray(value) ? 'a list' : 'an object';
  if (typeof value !== 'string') return String(value);
  const kind = textsOf(table).find((text) => text.column === column)?.kind ?? 'name';
  if (kind !== 'name' && kind !== 'id') return `a text of ${value.length} characters`;
  return `"${excerptOf(value, SHOWN)}"`;
}
