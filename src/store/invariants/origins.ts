import { compareText } from '../../domain/text/text.ts';
import { TABLE_NAMES, TABLES, type Table } from '../tables.ts';
import { type Finding, findingOf, shownValue } from './finding.ts';
import { type Broken, type Key, type Row, rulesOf } from './rows.ts';

/**
 * Watches over the rows of a memory that arrive in the order of an export: that they are in that order, that none takes
 * a key of another, and that what they refer to came before. A database refuses all of that too, but not by name.
 */
export class OriginRules {
  readonly #keys = new Map<string, Set<unknown>>();
  #line = 0;
  /** References of rows that have not come yet. */
  readonly #expected = new Map<string, { known: Set<unknown>; key: unknown; finding: Finding }>();
  #before: Row | undefined;
  #table: Table | undefined;
  /** Of the table that is cleanFacts. */
  #unique: { name: string; keyOf: Key; known: Set<unknown> }[] = [];
  #refers: { column: string; to: string; keyOf: Key | undefined; known: Set<unknown> }[] = [];

  /**
   * @param line where it is
   * @returns what is wrong with a row that is right by itself, or with one above that waited for it
   */
  check(table: Table, row: Row, line: number): Finding | undefined {
    const early = table === this.#table ? undefined : this.end();
    if (early) return early;
    this.#line = line;
    const broken = this.#outOfOrder(table, row) ?? this.#taken(row) ?? this.#dangling(table, row);
    this.#before = row;
    return broken && findingOf(table, row, broken);
  }

  /** @returns what is wrong with a row that refers to one that did not come: asked for when no more rows come */
  end(): Finding | undefined {
    const [lost] = [...this.#expected.values()].filter(({ known, key }) => !known.has(key));
    this.#expected.clear();
    return lost?.finding;
  }

  #outOfOrder(table: Table, row: Row): Broken | undefined {
    if (table !== this.#table) {
      const last = this.#table;
      if (last !== undefined && TABLE_NAMES.indexOf(table) < TABLE_NAMES.indexOf(last)) {
        return { expected: `the rows of ${table} above those of ${last}`, found: 'one below' };
      }
      this.#table = table;
      this.#begin(table);
      return undefined;
    }
    if (this.#before === undefined || compareKeys(table, this.#before, row) < 0) return undefined;
    const key = TABLES[table].join(', ');
    return { expected: `the rows of ${table} in the order of ${key}, each once`, found: 'one that is not' };
  }

  #taken(row: Row): Broken | undefined {
    for (const { name, keyOf, known } of this.#unique) {
      const key = keyOf(row);
      if (key === null) continue;
      if (known.has(key)) return { expected: `${aOr(name)} of its own`, found: 'that of a row above' };
      known.add(key);
    }
    return undefined;
  }

  #dangling(table: Table, row: Row): Broken | undefined {
    for (const { column, to, keyOf, known } of this.#refers) {
      const key = keyOf ? keyOf(row) : row[column];
      if (key === null || known.has(key)) continue;
      const isVersion = table === 'decisions' && to.startsWith('decisions.');
      const where = isVersion ? ', above or below' : ' above';
      const expected = `${column} to refer to a row of ${to.split('.')[0]}${where}`;
      const broken = { expected, found: shownValue(table, column, row[column]) };
      if (!isVersion) return broken;
      // A merge puts an earlier version in front of others, under a later number (D-22): it may come below.
      const finding = { ...findingOf(table, row, broken), line: this.#line };
      this.#expected.set(`${column} ${row.seq}`, { known, key, finding });
    }
    return undefined;
  }

  /** Looks up once what every row of a table is asked for. */
  #begin(table: Table): void {
    const { unique = {}, refers = {} } = rulesOf(table);
    this.#unique = Object.entries(unique).map(([name, keyOf]) => ({
      name,
      keyOf,
      known: this.#keysOf(`${table}.${name}`),
    }));
    this.#refers = Object.entries(refers).map(([column, rule = '']) => {
      const [to, keyOf] = typeof rule === 'string' ? [rule] : rule;
      return { column, to, keyOf, known: this.#keysOf(to) };
    });
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
