import { sql } from 'kysely';
import type { PrecedentError } from '../../domain/error.ts';
import { checkRow, completed } from '../../store/invariants/check-row.ts';
import { checkTogether } from '../../store/invariants/examine.ts';
import type { Finding } from '../../store/invariants/finding.ts';
import { OriginRules } from '../../store/invariants/origins.ts';
import { type Last, NONE_GIVEN_OUT } from '../../store/invariants/records-together.ts';
import type { Row } from '../../store/invariants/rule.ts';
import { NUMBERED, TABLES, type Table } from '../../store/tables.ts';
import type { Tx } from '../../store/tx.ts';
import type { Header } from './export.ts';
import { LineHash } from './line-hash.ts';
import { invalid } from './read.ts';

/** Lets the rows of a stream into a memory that break no rule, and fills in the columns that an older version did not have. */
export class Gate {
  readonly #last: Last;
  readonly #isOlder: boolean;
  readonly #origins = new OriginRules();
  readonly #rows = new LineHash();
  /** The line of each table's first row: the others follow in the order of their keys. */
  readonly #first: { [T in Table]?: number } = {};

  /** @param newest the newest schema that this version of Precedent knows: an older one has fewer columns */
  constructor({ last, schema }: Header, newest: string) {
    this.#last = { ...NONE_GIVEN_OUT, ...last };
    this.#isOlder = schema < newest;
  }

  /**
   * @returns the row with all columns that it has today, in their order
   * @throws PrecedentError `invalid` when it breaks a rule by itself or with the rows above it
   */
  admit(table: Table, row: Row, line: number): Row {
    this.#first[table] ??= line;
    const whole = this.#isOlder ? completed(table, row) : row;
    const [finding = this.#origins.check(table, whole, line)] = checkRow(table, whole);
    if (finding) throw refused(line, finding);
    this.#checkNumber(table, whole, line);
    if (this.#isOlder) this.#rows.add(JSON.stringify({ table, ...whole }));
    return whole;
  }

  /** @throws PrecedentError `invalid` when rows that were written break a rule together */
  async close(tx: Tx): Promise<void> {
    const lost = this.#origins.end();
    if (lost) throw refused(1, lost);
    const [finding] = await checkTogether(tx, this.#last, 1);
    if (finding) throw refused(await this.#lineOf(tx, finding), finding);
  }

  /** The checksum that the rows of the memory must have now. @param given that of the rows as they came */
  checksum(given: string): string {
    return this.#isOlder ? this.#rows.checksum() : given;
  }

  /** The last number that the header names was given out last: none of a row is above it. */
  #checkNumber(table: Table, row: Row, line: number): void {
    const numbered = NUMBERED.find((each) => each === table);
    if (!numbered) return;
    const [key] = TABLES[numbered];
    const given = Number(row[key as string]);
    const last = this.#last[numbered];
    if (given <= last) return;
    throw invalid(
      line,
      `${key} to be at most ${last}, the last of ${numbered} in the header, found ${given}`,
    );
  }

  /** Rows stand in the order of their keys, so that those before one tell its line. */
  async #lineOf(tx: Tx, { table, key }: Finding): Promise<number> {
    const columns = TABLES[table] as string[];
    const first = this.#first[table];
    if (first === undefined || columns.some((column) => key[column] === undefined)) return 1;
    const { rows } = await sql<{ before: number }>`
      select count(*) as before from ${sql.table(table)}
      where (${sql.join(columns.map((column) => sql.ref(column)))})
        < (${sql.join(columns.map((column) => key[column]))})`.execute(tx.db);
    return first + (rows[0]?.before ?? 0);
  }
}

/** Lets every row in, as it is: for what a memory held already. */
export const OPEN_GATE: Pick<Gate, 'admit' | 'close' | 'checksum'> = {
  admit: (_, row) => row,
  close: async () => {},
  checksum: (given) => given,
};

function refused(line: number, finding: Finding): PrecedentError {
  return invalid(finding.line ?? line, `${finding.expected}, found ${finding.found} (${finding.record})`);
}
