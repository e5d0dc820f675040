import type { Table } from '../schema.ts';
import { type Finding, findingOf, shownValue } from './finding.ts';
import { rulesOf } from './rows.ts';
import type { Row } from './rule.ts';

/**
 * The rules that a row breaks by itself: each column's, and what its columns ask of each other.
 * @param row as an export has it: columns in camel case, a vector in base64
 */
export function checkRow(table: Table, row: Row): Finding[] {
  const { columns, row: together, derived } = rulesOf(table);
  const findings: Finding[] = [];
  let known = 0;
  for (const column in columns) {
    const value = row[column];
    if (value !== undefined) known++;
    const expected = columns[column]?.(value);
    if (expected === undefined) continue;
    const found = shownValue(table, column, value);
    const mended = derived?.includes(column) && { mended: true as const };
    findings.push(findingOf(table, row, { expected: `${column} to be ${expected}`, found, ...mended }));
  }
  if (Object.keys(row).length !== known) findings.push(...strangeColumns(table, row));
  if (findings.length > 0) return findings;
  const broken = together?.(row);
  return broken ? [findingOf(table, row, broken)] : [];
}

/** A row as an export writes it: its columns in their order; one that an older version did not have is empty. */
export function inOrder(table: Table, row: Row): Row {
  const ordered: Row = {};
  for (const column in rulesOf(table).columns) ordered[column] = row[column] ?? null;
  return ordered;
}

function strangeColumns(table: Table, row: Row): Finding[] {
  const { columns } = rulesOf(table);
  return Object.keys(row)
    .filter((column) => !Object.hasOwn(columns, column))
    .map((column) => {
      const expected = `the columns ${Object.keys(columns).join(', ')}`;
      return findingOf(table, row, { expected, found: shownValue(table, '', column) });
    });
}
