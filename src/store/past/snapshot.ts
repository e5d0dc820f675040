import { VersionsInOrder } from '../../domain/import/versions-in-order.ts';
import { pagesOf, piecesOf } from '../rows.ts';
import { TABLE_NAMES, type Table } from '../tables.ts';
import type { Tx } from '../tx.ts';

type Row = Record<string, unknown>;

/** Rows written with one statement. */
const BATCH = 100;

/**
 * Writes what one memory shows into another that is empty, rows as they are. Its text index is made afterwards.
 * @param from may be {@link asOf} a moment
 */
export async function materializeSnapshot(from: Tx, to: Tx): Promise<void> {
  for (const table of TABLE_NAMES) {
    const versions = new VersionsInOrder<Row>();
    for await (const page of pagesOf(from, table)) {
      const rows = table === 'decisions' ? page.flatMap((row) => versions.next(row)) : page;
      for (const piece of piecesOf(rows, BATCH)) await insert(to, table, piece);
    }
    for (const piece of piecesOf(versions.rest(), BATCH)) await insert(to, table, piece);
  }
}

async function insert(to: Tx, table: Table, rows: Row[]): Promise<void> {
  await to.db
    .insertInto(table)
    .values(rows as never)
    .execute();
}
