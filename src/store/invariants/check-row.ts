import { excerptOf } from '../../domain/text/visible.ts';
import type { Table } from '../tables.ts';
import { type Finding, findingOf, shownValue } from './finding.ts';
import { rulesOf } from './rows.ts';
import type { Broken, Row } from './rule.ts';

/**
 * The rules that a row breaks by itself: each column's, and what its columns ask of each other.
 * @param row as an export has it: columns in camel case and in their order, a vector in base64
 */
export function checkRow(table: Table, row: Row): Finding[] {
  const { names, columns, row: together, derived } = rulesOf(table);
  const findings: Finding[] = [];
  let at = 0;
  for (const name in row) if (names[at++] !== name) return [findingOf(table, row, wrongColumns(table, row))];
  if (at < names.length) return [findingOf(table, row, wrongColumns(table, row))];
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

function wrongColumns(table: Table, row: Row): Broken {
  const { names } = rulesOf(table);
  const strange = Object.keys(row).find((name) => !names.includes(name));
  const missing = names.find((name) => !Object.hasOwn(row, name));
  const found =
    strange === undefined
      ? missing === undefined
        ? 'them in another'
        : `none named ${missing}`
      : `one named "${excerptOf(strange, 60)}"`;
  return { expected: `the columns ${names.join(', ')} in this order`, found };
}
