import { excerptOf } from '../../domain/text/visible.ts';
import type { Table } from '../tables.ts';
import { type Finding, findingOf, shownValue } from './finding.ts';
import { rulesOf } from './rows.ts';
import type { Broken, Row } from './rule.ts';

/**
 * The rules that a row breaks by itself: each column's, and what its columns ask of each other.
 * @param row as an export has it: columns in camel case, a vector in base64
 */
export function checkRow(table: Table, row: Row): Finding[] {
  const { names, columns, row: together, derived } = rulesOf(table);
  const findings: Finding[] = [];
  const strange = wrongColumns(table, row);
  if (strange) return [findingOf(table, row, strange)];
  for (const name of names) {
    const expected = columns[name]?.(row[name]);
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
  for (const name of rulesOf(table).names) whole[name] = row[name] ?? null;
  return { ...whole, ...row };
}

function wrongColumns(table: Table, row: Row): Broken | undefined {
  const { names, columns } = rulesOf(table);
  for (const name in row)
    if (!Object.hasOwn(columns, name))
      return { expected: columnsOf(names), found: `one named "${excerptOf(name, 60)}"` };
  for (const name of names)
    if (!Object.hasOwn(row, name)) return { expected: columnsOf(names), found: `none named ${name}` };
  return undefined;
}

const columnsOf = (names: string[]) => `the columns ${names.join(', ')}`;
