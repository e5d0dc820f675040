import { append } from '../../domain/append.ts';
import { VersionsInOrder } from '../../domain/arrival/versions-in-order.ts';
import { PrecedentError } from '../../domain/error.ts';
import type { Row } from '../../store/invariants/rule.ts';
import type { Table } from '../../store/tables.ts';
import type { Tx } from '../../store/tx.ts';

/** Rows written with one statement. */
const BATCH = 50;

/** Writes rows as they are, many of a table at once. */
export class RowWriter {
  readonly #tx: Tx;
  #table: Table | undefined;
  #rows: Row[] = [];
  readonly #versions = new VersionsInOrder<Row>();

  constructor(tx: Tx) {
    this.#tx = tx;
  }

  /** @param line the number of the row's line, for messages */
  async add(table: Table, row: Row, line: number): Promise<void> {
    if (table !== this.#table || this.#rows.length >= BATCH) await this.#write(line, table);
    this.#table = table;
    append(this.#rows, table === 'decisions' ? this.#versions.next(row) : [row]);
  }

  /**
   * Writes the rows that wait.
   * @param line the number of the line after them
   * @throws PrecedentError `invalid` when the database refuses one of them
   */
  async flush(line: number): Promise<void> {
    await this.#write(line, undefined);
  }

  /** @param next the table of the next row: the versions that still wait for the one before them wait no longer */
  async #write(line: number, next: Table | undefined): Promise<void> {
    const rows = [...this.#rows, ...(next === this.#table ? [] : this.#versions.rest())];
    this.#rows = [];
    if (this.#table === undefined || rows.length === 0) return;
    try {
      await this.#insert(this.#table, rows);
    } catch (error) {
      const { kind } = this.#tx.fault(error);
      if (kind !== 'bug' && kind !== 'race') throw error;
      throw new PrecedentError(
        'invalid',
        `Expected rows of ${this.#table} before line ${line}, found one that a memory cannot hold. Nothing was imported.`,
        { cause: error },
      );
    }
  }

  async #insert(table: Table, rows: Row[]): Promise<void> {
    const { db, vectors } = this.#tx;
    const decoded = ({ vector, ...row }: Row) => ({
      ...row,
      vector: vectors.fromBytes(Buffer.from(String(vector), 'base64')),
    });
    const values = table === 'vectors' ? rows.map(decoded) : rows;
    await db
      .insertInto(table)
      .values(values as never)
      .execute();
  }
}
