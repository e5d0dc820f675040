import { compareText } from '../../domain/text/text.ts';
import { TABLE_NAMES, TABLES, type Table } from '../schema.ts';
import { type Finding, findingOf, shownValue } from './finding.ts';
import { rulesOf } from './rows.ts';
import type { Broken, Row } from './rule.ts';

/**
 * Watches over the rows of a memory that arrive in the order of an export: that they are in that order, that none takes
 * a key of another, and that what they refer to came before. A database refuses all of that too, but not by name.
 */
export class Arrivals {
  readonly #keys = new Map<string, Set<unknown>>();
  readonly #before: { [T in Table]?: Row } = {};
  #table: Table | undefined;

  /** @returns what is wrong with a row that is right by itself */
  check(table: Table, row: Row): Finding | undefined {
    const broken = this.#outOfOrder(table, row) ?? this.#taken(table, row) ?? this.#dangling(table, row);
    this.#table = table;
    this.#before[table] = row;
    return broken && findingOf(table, row, broken);
  }

  #outOfOrder(table: Table, row: Row): Broken | undefined {
    const last = this.#table;
    if (last !== undefined && TABLE_NAMES.indexOf(table) < TABLE_NAMES.indexOf(last)) {
      return { expected: `the rows of ${table} above those of ${last}`, found: 'one below' };
    }
    const before = this.#before[table];
    if (before === undefined || compareKeys(table, before, row) < 0) return undefined;
    const key = TABLES[table].join(', ');
    return { expected: `the rows of ${table} in the order of ${key}, each once`, found: 'one that is not' };
  }

  #taken(table: Table, row: Row): Broken | undefined {
    for (const [name, keyOf] of Object.entries(rulesOf(table).unique ?? {})) {
      const key = keyOf(row);
      if (key === null) continue;
      const known = this.#keysOf(`${table}.${name}`);
      if (known.has(key)) return { expected: `${aOr(name)} of its own`, found: 'that of a row above' };
      known.add(key);
    }
    return undefined;
  }

  #dangling(table: Table, row: Row): Broken | undefined {
    for (const [column, rule] of Object.entries(rulesOf(table).refers ?? {})) {
      const [to, key] = typeof rule === 'string' ? [rule, row[column]] : [rule[0], rule[1](row)];
      if (key === null || this.#keysOf(to).has(key)) continue;
      const expected = `${column} to refer to a row of ${to.split('.')[0]} above`;
      return { expected, found: shownValue(table, column, row[column]) };
    }
    return undefined;
  }

  #keysOf(name: string): Set<unknown> {
    const known = this.#keys.get(name) ?? new Set();
    this.#keys.set(name, known);
    return known;
  }
}

const aOr = (name: string) => (/^[aeiou]/.test(name) ? `an ${name}` : `a ${name}`);

/** The order in which an export has two rows of a table. */
function compareKeys(table: Table, one: Row, other: Row): number {
  for (const column of TABLES[table] as string[]) {
    const [a, b] = [one[column], other[column]];
    if (a === b) continue;
    return typeof a === 'number' ? a - Number(b) : compareText(String(a), String(b));
  }
  return 0;
}
