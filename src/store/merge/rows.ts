import type { Insertable } from 'kysely';
import { VersionsInOrder } from '../../domain/arrival/versions-in-order.ts';
import type { RecordKind } from '../../domain/change.ts';
import { piecesOf } from '../rows.ts';
import type { Schema } from '../schema.ts';
import { type NUMBERED, TABLE_NAMES, type Table } from '../tables.ts';
import type { Tx, WriterRow } from '../tx.ts';

/** Rows written with one statement. */
export const BATCH = 50;

type Numbered = Exclude<(typeof NUMBERED)[number], 'writers' | 'changes' | 'saves'>;

/**
 * The rows that a merge adds. They are numbered by itself, and written many at a time: writers take turns, so that nobody
 * else gives out numbers meanwhile.
 */
export class NewRows {
  readonly #tx: Tx;
  readonly #last: Record<Numbered, number>;
  readonly #rows: { [T in Table]?: Insertable<Schema[T]>[] } = {};
  /** The numbers of the new records, ascending. */
  readonly seqs: number[] = [];

  private constructor(tx: Tx, last: Record<Numbered, number>) {
    this.#tx = tx;
    this.#last = last;
  }

  static async after(tx: Tx): Promise<NewRows> {
    const last = (table: Numbered) => tx.numbering.last(tx.db, table);
    return new NewRows(tx, {
      records: await last('records'),
      observations: await last('observations'),
      relations: await last('relations'),
    });
  }

  /** The next number of a table. */
  number(table: Numbered): number {
    this.#last[table]++;
    return this.#last[table];
  }

  add<T extends Table>(table: T, row: Insertable<Schema[T]>): void {
    const rows: Insertable<Schema[T]>[] = this.#rows[table] ?? [];
    rows.push(row);
    this.#rows[table] = rows as never;
  }

  /** A row in the list of records. @param uid for a record that has only a number @returns its number */
  record(kind: RecordKind, { id, session }: WriterRow, uid: string | null = null): number {
    const seq = this.number('records');
    this.add('records', { seq, kind, writer: id, session, uid });
    this.seqs.push(seq);
    return seq;
  }

  /** Writes all of them, those first that others refer to, and goes on after their numbers. */
  async write(): Promise<void> {
    for (const table of TABLE_NAMES) await this.#insert(table, inOrder(table, this.#rows[table] ?? []));
    for (const [table, last] of Object.entries(this.#last)) {
      await this.#tx.numbering.raise(this.#tx.db, table, last);
    }
  }

  async #insert(table: Table, rows: object[]): Promise<void> {
    for (const piece of piecesOf(rows, BATCH)) {
      await this.#tx.db
        .insertInto(table)
        .values(piece as never)
        .execute();
    }
  }
}

function inOrder(table: Table, rows: object[]): object[] {
  if (table !== 'decisions') return rows;
  const versions = new VersionsInOrder<object>();
  return [...rows.flatMap((row) => versions.next(row)), ...versions.rest()];
}
