import type { Insertable } from 'kysely';
import { VersionsInOrder } from '../../domain/import/versions-in-order.ts';
import type { RecordKind } from '../../domain/kinds.ts';
import { sendRows } from '../rows.ts';
import type { Schema } from '../schema.ts';
import { TABLE_NAMES, type Table } from '../tables.ts';
import type { Tx, Writer, WriterRow } from '../tx.ts';
import { type Numbered, Renumbering } from './renumbering.ts';

/**
 * The rows that a merge adds, as they are planned: numbered behind what the memory held then, writers by numbers below
 * zero. They get the numbers that are free when they are written.
 */
export class NewRows {
  /** The last numbers that the memory had given out when the rows were planned. */
  readonly after: Record<Numbered, number>;
  readonly #last: Record<Numbered, number>;
  readonly #rows: { [T in Table]?: Insertable<Schema[T]>[] } = {};
  readonly #writers: Writer[] = [];

  constructor(after: Record<Numbered, number>) {
    this.after = after;
    this.#last = { ...after };
  }

  /** The next number of a table. */
  number(table: Numbered): number {
    this.#last[table]++;
    return this.#last[table];
  }

  /** A writer who gets a row with the others. */
  writer(writer: Writer): WriterRow {
    const number = -this.#writers.push(writer);
    return { id: number, session: number };
  }

  add<T extends Table>(table: T, row: Insertable<Schema[T]>): void {
    const rows: Insertable<Schema[T]>[] = this.#rows[table] ?? [];
    rows.push(row);
    this.#rows[table] = rows as never;
  }

  /** A row in the list of records. @param uid for a record that has only a number @returns its number */
  record(kind: RecordKind, { id, session }: WriterRow, uid: string | null = null): number {
    const seq = this.number('records');
    this.add('records', { seq, kind, writer: id, session, retractedAt: null, uid });
    return seq;
  }

  /** The new rows of a table. */
  of<T extends Table>(table: T): Insertable<Schema[T]>[] {
    return this.#rows[table] ?? [];
  }

  /**
   * Writes all of them, those first that others refer to.
   * @returns how the numbers in other rows of the same plan are to be read
   */
  async write(tx: Tx): Promise<Renumbering> {
    const renumbering = await Renumbering.begin(tx, this.after, this.#writers);
    for (const table of TABLE_NAMES) {
      await sendRows(
        tx,
        inOrder(table, this.of(table)),
        (piece) => tx.db.insertInto(table).values(piece as never),
        (column) => renumbering.column(table, column),
      );
    }
    await renumbering.goOnAfter(tx, this.#last);
    return renumbering;
  }
}

function inOrder(table: Table, rows: object[]): object[] {
  if (table !== 'decisions') return rows;
  const versions = new VersionsInOrder<object>();
  return [...rows.flatMap((row) => versions.next(row)), ...versions.rest()];
}
