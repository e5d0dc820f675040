import { VersionsInOrder } from '../../domain/arrival/versions-in-order.ts';
import { rowsOf } from '../rows.ts';
import { rebuildIndex } from '../search/reindex.ts';
import { TABLE_NAMES, type Table } from '../tables.ts';
import type { Tx } from '../tx.ts';

type Row = Record<string, unknown>;

/** Rows written with one statement. */
const BATCH = 100;
/** Rows read with one statement: a view may cost as much for a few as for many. */
const PAGE = 2_000;

/**
 * Writes what one memory shows into another that is empty, rows as they are, with a text index of its own.
 * @param from may be {@link asOf} a moment
 */
export async function layOut(from: Tx, to: Tx): Promise<void> {
  for (const table of TABLE_NAMES) {
    let rows: Row[] = [];
    const versions = new VersionsInOrder<Row>();
    for await (const row of rowsOf(from, table, undefined, PAGE)) {
      rows.push(...(table === 'decisions' ? versions.next(row) : [row]));
      if (rows.length >= BATCH) {
        await insert(to, table, rows);
        rows = [];
      }
    }
    await insert(to, table, [...rows, ...versions.rest()]);
  }
  await rebuildIndex(to);
}

async function insert(to: Tx, table: Table, rows: Row[]): Promise<void> {
  if (rows.length === 0) return;
  await to.db
    .insertInto(table)
    .values(rows as never)
    .execute();
}
