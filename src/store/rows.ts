import { setImmediate } from 'node:timers/promises';
import { type Compilable, CompiledQuery, type Insertable, type Kysely, sql } from 'kysely';
import type { Lists } from './engine.ts';
import type { Schema } from './schema.ts';
import { oneAhead } from './statements.ts';
import { TABLES, type Table } from './tables.ts';
import type { Tx } from './tx.ts';

/** Rows read at once; texts may be megabytes long. */
const PAGE = 25;

/**
 * The rows of a table in the order of its key, as an export has them: a vector in base64.
 * @param only the columns that are wanted, those of the key among them; default: all
 * @param page rows read at once
 */
export async function* rowsOf<T extends Table>(
  tx: Tx,
  table: T,
  only?: (keyof Schema[T] & string)[],
  page = PAGE,
): AsyncGenerator<Record<string, unknown>> {
  const wanted = only ? sql.join(only.map((column) => sql.ref(column))) : sql`*`;
  const key: string[] = TABLES[table];
  const columns = sql.join(key.map((column) => sql.ref(column)));
  for (let last: Record<string, unknown> | undefined; ; ) {
    const after =
      last === undefined
        ? sql``
        : sql`where (${columns}) > (${sql.join(key.map((column) => last?.[column]))})`;
    const { rows } = await sql<Record<string, unknown>>`
      select ${wanted} from ${sql.table(table)} ${after} order by ${columns} limit ${page}`.execute(tx.db);
    for (const row of rows) yield 'vector' in row ? { ...row, vector: base64(tx, row.vector) } : row;
    if (rows.length < page) return;
    last = rows.at(-1);
    // An embedded database answers without a pause: signals and timers get their turn here.
    await setImmediate();
  }
}

/** Rows written with one statement. */
const BATCH = 200;

/**
 * Writes rows, many with one statement. A query builder makes it once for all pieces of one size.
 * @param rows all with the same columns
 * @param statement has their values in the order of their columns as parameters, and no others
 * @param read how the values of a column are written; undefined: as they are
 */
export async function sendRows<Row extends object>(
  { db }: Tx,
  rows: readonly Row[],
  statement: (piece: Row[]) => Compilable,
  read: (column: string) => ((value: unknown) => unknown) | undefined = () => undefined,
): Promise<void> {
  await oneAhead(statementsOf(rows, statement, read), (made) => db.executeQuery(made));
}

function* statementsOf<Row extends object>(
  rows: readonly Row[],
  statement: (piece: Row[]) => Compilable,
  read: (column: string) => ((value: unknown) => unknown) | undefined,
): Generator<CompiledQuery> {
  const columns = Object.keys(rows[0] ?? {}) as (keyof Row & string)[];
  const readers = columns.map(read);
  let made: { text: string; size: number } | undefined;
  for (const piece of piecesOf(rows, BATCH)) {
    if (made?.size !== piece.length) {
      const inOrder = piece.map((row) => Object.fromEntries(columns.map((column) => [column, row[column]])));
      made = { text: statement(inOrder as Row[]).compile().sql, size: piece.length };
    }
    const values = piece.flatMap((row) =>
      columns.map((column, at) => readers[at]?.(row[column]) ?? row[column]),
    );
    yield CompiledQuery.raw(made.text, values);
  }
}

/** What {@link insertRows} made before, for each engine: the text by the table, its columns and the number of rows. */
const made = new WeakMap<Lists, Map<string, string>>();

/**
 * Writes new rows with one statement, whose text a query builder makes once: it takes longer for it than the database for
 * the row (ADR 0071).
 * @param rows at least one, all with the same columns in the same order, a handful at most: each number of rows is another text
 */
export async function insertRows<T extends Table>(
  tx: Tx,
  table: T,
  rows: readonly Insertable<Schema[T]>[],
): Promise<void> {
  const texts = made.get(tx.lists) ?? new Map<string, string>();
  made.set(tx.lists, texts);
  const key = `${rows.length} ${table} ${Object.keys(rows[0] ?? {})}`;
  let text = texts.get(key);
  if (text === undefined) {
    // Which columns a table has the caller's types have checked; a builder of any table needs none.
    const builder: Kysely<Record<string, Record<string, unknown>>> = tx.db as never;
    text = builder
      .insertInto(table)
      .values([...rows])
      .compile().sql;
    texts.set(key, text);
  }
  await tx.db.executeQuery(
    CompiledQuery.raw(
      text,
      rows.flatMap((row) => Object.values(row)),
    ),
  );
}

/** A list in pieces of so many, for what one statement can take. */
export function* piecesOf<T>(all: readonly T[], size: number): Generator<T[]> {
  for (let start = 0; start < all.length; start += size) yield all.slice(start, start + size);
}

/** How many rows a table has. */
export async function countRows(tx: Tx, table: Table): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${sql.table(table)}`.execute(tx.db);
  return rows[0]?.count ?? 0;
}

function base64(tx: Tx, vector: unknown): string {
  return Buffer.from(tx.vectors.toBytes(vector)).toString('base64');
}
