import { CompiledQuery, type Insertable, type RawBuilder, type Selectable, sql } from 'kysely';
import type { TextKind } from './columns.ts';
import type { Db } from './engine.ts';
import { STRETCH, stretchesOf } from './pauses.ts';
import type { Schema } from './schema.ts';
import { oneAhead, query } from './statements.ts';
import { TABLES, type Table } from './tables.ts';
import { textsOf } from './texts.ts';
import { giveWay } from './turns.ts';
import type { Tx } from './tx.ts';

/** Rows of vectors read at once: their sizes are not asked for. */
const VECTORS = 16;

/**
 * The rows of a table in the order of its key, as an export has them: a vector in base64. No more are read at once than
 * one stretch bears (Z-5), and others get their turn in between.
 * @param only the columns that are wanted, those of the key among them; default: all
 */
export async function* rowsOf<T extends Table>(
  tx: Tx,
  table: T,
  only?: (keyof Schema[T] & string)[],
): AsyncGenerator<Row> {
  for await (const page of pagesOf(tx, table, only)) yield* page;
}

/** {@link rowsOf}, as many together as were read together. */
async function* pagesOf<T extends Table>(
  tx: Tx,
  table: T,
  only?: (keyof Schema[T] & string)[],
): AsyncGenerator<Row[]> {
  const wanted = only ? sql.join(only.map((column) => sql.ref(column))) : sql`*`;
  const keys: string[] = TABLES[table];
  const key = sql.join(keys.map((column) => sql.ref(column)));
  const most = table === 'vectors' ? VECTORS : STRETCH.rows;
  for (let last: Row | undefined; ; ) {
    const sizes = await sizesOf(tx, table, last, most);
    for (const group of stretchesOf(sizes, (bytes) => bytes)) {
      const rows = await query<Row>(tx)`
        select ${wanted} from ${sql.table(table)} ${behind(keys, last)}
        order by ${key} limit ${group.length}`;
      last = rows.at(-1);
      yield rows.map((row) => ('vector' in row ? { ...row, vector: base64(tx, row.vector) } : row));
      // An embedded database answers without a pause.
      await giveWay();
    }
    if (sizes.length < most) return;
  }
}

type Row = Record<string, unknown>;

function behind(keys: string[], last: Row | undefined): RawBuilder<unknown> {
  if (last === undefined) return sql``;
  const [columns, values] = [keys.map((column) => sql.ref(column)), keys.map((column) => last[column])];
  return sql`where (${sql.join(columns)}) > (${sql.join(values)})`;
}

/** How many bytes the texts of each of the next rows have, or more; the texts themselves are not read. */
async function sizesOf(tx: Tx, table: Table, last: Row | undefined, limit: number): Promise<number[]> {
  const key = sql.join(TABLES[table].map((column) => sql.ref(column)));
  const rows = await query<{ bytes: number }>(tx)`
    select ${bytesOf(tx, table)} as bytes from ${sql.table(table)} as v ${behind(TABLES[table], last)}
    order by ${key} limit ${limit}`;
  return rows.map(({ bytes }) => bytes);
}

/**
 * Bytes of the long texts in the row `v` of a table. The row may be of a view of the past, which would have to make a
 * text to say how long it is: the table below it knows, and for an observation its longest revision.
 */
function bytesOf(tx: Tx, table: Table): RawBuilder<number> {
  const texts = longTexts(table);
  if (!texts) return sql`0`;
  const same = sql.join(
    TABLES[table].map((column) => sql`${sql.ref(`b.${column}`)} = ${sql.ref(`v.${column}`)}`),
    sql` and `,
  );
  const own = sql<number>`coalesce((select ${texts} from ${tx.views.table(table)} as b where ${same}), 0)`;
  if (table !== 'observations') return own;
  return sql`${own} + coalesce((select max(octet_length(r.content))
    from ${tx.views.table('observation_revisions')} as r where r.observation_id = v.id), 0)`;
}

/** Texts that may be long, by what they hold. */
const LONG: ReadonlySet<TextKind> = new Set(['words', 'list', 'json']);

/** Bytes of the texts of a row `b` that may be long; undefined for a table that has none. */
export function longTexts(table: Table): RawBuilder<number> | undefined {
  const texts = textsOf(table).filter(({ kind, longest }) => LONG.has(kind) && longest === undefined);
  if (texts.length === 0) return undefined;
  const sizes = texts.map(({ column }) => sql`coalesce(octet_length(${sql.ref(`b.${column}`)}), 0)`);
  return sql.join(sizes, sql` + `) as RawBuilder<number>;
}

/** Rows written with one statement. */
const BATCH = 200;

/**
 * Writes new rows, many with one statement. It is written out, since it takes longer for a query builder to make it than for
 * the database to write the row (ADR 0070), and made once for all pieces of one size.
 * @param rows all with the same columns
 * @param behind what follows the values, such as `on conflict (key) do nothing`; it has no parameters
 */
export async function insertRows<T extends Table>(
  { db }: Tx,
  table: T,
  rows: readonly Insertable<Schema[T]>[],
  behind = sql``,
): Promise<void> {
  const statements = statementsOf(db, table, rows, behind);
  if (rows.length > BATCH) return oneAhead(statements, (made) => db.executeQuery(made));
  for (const made of statements) await db.executeQuery(made);
}

function* statementsOf(
  db: Db,
  table: Table,
  rows: readonly object[],
  behind: RawBuilder<unknown>,
): Generator<CompiledQuery> {
  const columns = Object.keys(rows[0] ?? {});
  let made: { text: string; size: number } | undefined;
  for (const piece of piecesOf(rows as readonly Row[], BATCH)) {
    if (made?.size !== piece.length) {
      const names = sql.join(columns.map((column) => sql.ref(column)));
      const places = sql.join(piece.map(() => sql`(${sql.join(columns)})`));
      const statement = sql`insert into ${sql.table(table)} (${names}) values ${places} ${behind}`;
      made = { text: statement.compile(db).sql, size: piece.length };
    }
    yield CompiledQuery.raw(
      made.text,
      piece.flatMap((row) => columns.map((column) => row[column])),
    );
  }
}

/** Writes one new row. @returns it, with the number that its table gave it */
export async function insertRow<T extends Table>(
  tx: Tx,
  table: T,
  row: Insertable<Schema[T]>,
): Promise<Selectable<Schema[T]>> {
  const columns = Object.keys(row).map((column) => sql.ref(column));
  const [made] = await query<Selectable<Schema[T]>>(tx)`insert into ${sql.table(table)} (${sql.join(columns)})
    values (${sql.join(Object.values(row))}) returning *`;
  return made as Selectable<Schema[T]>;
}

/** Some or all fields of a row of a table. */
type Some<T extends Table> = Partial<Selectable<Schema[T]>>;

/** A row of a table with these values; undefined where there is none. */
export async function findRow<T extends Table>(
  tx: Tx,
  table: T,
  by: Some<T>,
): Promise<Selectable<Schema[T]> | undefined> {
  const [found] = await query<Selectable<Schema[T]>>(tx)`
    select * from ${sql.table(table)} where ${pairs(by, sql` and `)} limit 1`;
  return found;
}

/** Every row of a table with these values. @param order the column that they are sorted by */
export function findRows<T extends Table>(
  tx: Tx,
  table: T,
  by: Some<T>,
  order: keyof Schema[T] & string,
): Promise<Selectable<Schema[T]>[]> {
  return query<Selectable<Schema[T]>>(tx)`
    select * from ${sql.table(table)} where ${pairs(by, sql` and `)} order by ${sql.ref(order)}`;
}

/** {@link findRow} for a row that is there. */
export async function requireRow<T extends Table>(
  tx: Tx,
  table: T,
  by: Some<T>,
): Promise<Selectable<Schema[T]>> {
  const row = await findRow(tx, table, by);
  if (!row) throw new Error(`Expected a row of ${table}.`);
  return row;
}

/** Gives the rows of a table with some values others. @returns the rows as they are now */
export function updateRows<T extends Table>(
  tx: Tx,
  table: T,
  by: Some<T>,
  values: Some<T>,
): Promise<Selectable<Schema[T]>[]> {
  return query<Selectable<Schema[T]>>(tx)`update ${sql.table(table)} set ${pairs(values, sql`, `)}
    where ${pairs(by, sql` and `)} returning *`;
}

function pairs(values: object, between: RawBuilder<unknown>): RawBuilder<unknown> {
  const all = Object.entries(values).map(([column, value]) => sql`${sql.ref(column)} = ${value}`);
  return sql.join(all, between);
}

/**
 * A page of rows, and where the next one begins, undefined on the last. One row more was read than the page holds.
 * @param placeOf where a page goes on after its last row
 */
export function paged<Row, At>(
  rows: Row[],
  limit: number,
  placeOf: (last: Row) => At,
): [Row[], At | undefined] {
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return [shown, last && placeOf(last)];
}

/** A list in pieces of so many, for what one statement can take. */
export function* piecesOf<T>(all: readonly T[], size: number): Generator<T[]> {
  for (let start = 0; start < all.length; start += size) yield all.slice(start, start + size);
}

/** How many rows a table has. */
export function countRows(tx: Tx, table: Table): Promise<number> {
  return countOf(tx, sql.table(table));
}

/** How many rows there are. @param from what follows `from` in a statement */
export async function countOf(tx: Pick<Tx, 'db'>, from: RawBuilder<unknown>): Promise<number> {
  const [counted] = await query<{ count: number }>(tx)`select count(*) as count from ${from}`;
  return counted?.count ?? 0;
}

function base64(tx: Tx, vector: unknown): string {
  return Buffer.from(tx.vectors.toBytes(vector)).toString('base64');
}
