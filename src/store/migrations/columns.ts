import { type ColumnDefinitionBuilder, type Kysely, type SqlBool, sql } from 'kysely';
import type { Ddl } from '../engine.ts';

/** The usual column: never empty. */
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

/** An index of a table. @param only which rows it has, as a condition; default: all */
export async function addIndex(
  db: Kysely<unknown>,
  name: string,
  table: string,
  columns: string[],
  { only, unique = false }: { only?: string; unique?: boolean } = {},
): Promise<void> {
  const index = db.schema.createIndex(name).on(table).columns(columns);
  const some = only === undefined ? index : index.where(sql<SqlBool>`${sql.raw(only)}`);
  await (unique ? some.unique() : some).execute();
}

/** U-3, W-6: a page of a listing by date starts anywhere at the same cost. */
export const indexDates = (db: Kysely<unknown>, table: string, columns = ['created_at', 'seq']) =>
  addIndex(db, `${table}_date`, table, columns);

/**
 * I-2: few rows have a uid of their own, so that the index is small. In what was saved here it is empty: it follows from what
 * the record is.
 */
export const indexUids = (db: Kysely<unknown>, table: string) =>
  addIndex(db, `${table}_uid`, table, ['uid'], { unique: true, only: '"uid" is not null' });
