import type { Insertable } from 'kysely';
import { VersionsInOrder } from '../../domain/import/versions-in-order.ts';
import type { RecordKind } from '../../domain/kinds.ts';
import { insertRows } from '../rows.ts';
import type { Schema } from '../schema.ts';
import { TABLE_NAMES, type Table } from '../tables.ts';
import type { Tx, WriterRow } from '../tx.ts';

/** Tables whose numbers a merge gives out. */
const NUMBERED = ['records', 'observations', 'relations'] as const;
type Numbered = (typeof NUMBERED)[number];

/** The rows that a merge adds, with numbers behind those that the memory has given out. */
export class NewRows {
  /** The last numbers that the memory had given out before. */
  readonly after: Record<Numbered, number>;
  readonly #last: Record<Numbered, number>;
  readonly #rows: { [T in Table]?: Insertable<Schema[T]>[] } = {};

  private constructor(after: Record<Numbered, number>) {
    this.after = after;
    this.#last = { ...after };
  }

  static async of(tx: Tx): Promise<NewRows> {
    const last = (table: Numbered) => tx.numbering.last(tx.db, table);
    return new NewRows({
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
    this.add('records', { seq, kind, writer: id, session, retractedAt: null, uid });
    return seq;
  }

  /** The new rows of a table. */
  of<T extends Table>(table: T): Insertable<Schema[T]>[] {
    return this.#rows[table] ?? [];
  }

  /** Writes all of them, those first that others refer to. */
  async write(tx: Tx): Promise<void> {
    for (const table of TABLE_NAMES)
      await insertRows(tx, table, inWritingOrder(table, this.of(table)) as never);
    for (const table of NUMBERED) await tx.numbering.raise(tx.db, table, this.#last[table]);
  }
}

/** Rows in an order in which each follows those that it refers to. */
export function inWritingOrder(table: Table, rows: object[]): object[] {
  if (table !== 'decisions') return rows;
  const versions = new VersionsInOrder<object>();
  return [...rows.flatMap((row) => versions.next(row)), ...versions.rest()];
}
