import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely';
import type { Ddl } from '../engine.ts';

/** What most columns are: never empty. */
export const required = (column: ColumnDefinitionBuilder) => column.notNull();

/** A column that names a row of another table. @param key the table and its column */
export const refersTo = (key: string) => (column: ColumnDefinitionBuilder) =>
  column.notNull().references(key);

/** A noun's table, whose `seq` is its row in `records`. */
export function nounTable(db: Kysely<unknown>, ddl: Ddl, name: string) {
  return db.schema
    .createTable(name)
    .addColumn('seq', ddl.sequenceType, (column) => column.primaryKey().references('records.seq'));
}

/** U-3, W-6: a page of a listing by date starts anywhere at the same cost. */
export async function indexDates(
  db: Kysely<unknown>,
  table: string,
  columns = ['created_at', 'seq'],
): Promise<void> {
  await db.schema.createIndex(`${table}_date`).on(table).columns(columns).execute();
}

/** I-2: few rows have a uid of their own, so that the index is small. In what was saved here it is empty: it follows from what the record is. */
export async function indexUids(db: Kysely<unknown>, table: string): Promise<void> {
  await db.schema
    .createIndex(`${table}_uid`)
    .unique()
    .on(table)
    .column('uid')
    .where(sql.ref('uid'), 'is not', null)
    .execute();
}
