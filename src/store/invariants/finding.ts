import { excerptOf } from '../../domain/text/visible.ts';
import type { Rule } from '../columns.ts';
import { COLUMNS } from '../schema.ts';
import { TABLES, type Table } from '../tables.ts';
import { textsOf } from '../texts.ts';
import { type Broken, type Row, rulesOf } from './rows.ts';

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

/** The fault in one line, beginning with the record. */
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

/**
 * The rules that a row breaks by itself: each column's, and what its columns ask of each other.
 * @param row as an export has it: columns in camel case, a vector in base64
 * @param also a rule that each column must keep besides its own
 */
export function checkRow(table: Table, row: Row, also?: Rule): Finding[] {
  const { row: together, derived } = rulesOf(table);
  const findings: Finding[] = [];
  const strange = wrongColumns(table, row);
  if (strange) return [findingOf(table, row, strange)];
  for (const [name, rule] of Object.entries<Rule>(COLUMNS[table])) {
    const expected = rule(row[name]) ?? also?.(row[name]);
    if (expected === undefined) continue;
    const found = shownValue(table, name, row[name]);
    const mended = derived?.includes(name) && { mended: true as const };
    findings.push(findingOf(table, row, { expected: `${name} to be ${expected}`, found, ...mended }));
  }
  if (findings.length > 0) return findings;
  const broken = together?.(row);
  return broken ? [findingOf(table, row, broken)] : findings;
}

/** A row of an older version with all columns in their order: those that came later are empty. */
export function completed(table: Table, row: Row): Row {
  const whole: Row = {};
  for (const name in COLUMNS[table]) whole[name] = row[name] ?? null;
  return { ...whole, ...row };
}

function wrongColumns(table: Table, row: Row): Broken | undefined {
  const names = Object.keys(COLUMNS[table]);
  for (const name in row)
    if (!Object.hasOwn(COLUMNS[table], name))
      return { expected: columnsOf(names), found: `one named "${excerptOf(name, 60)}"` };
  for (const name of names)
    if (!Object.hasOwn(row, name)) return { expected: columnsOf(names), found: `none named ${name}` };
  return undefined;
}

const columnsOf = (names: string[]) => `the columns ${names.join(', ')}`;
