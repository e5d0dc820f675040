import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { PrecedentError } from '../../domain/error.ts';
import { readMeta, writeMeta } from '../../store/meta.ts';
import { newestMigration } from '../../store/migrations/migrations.ts';
import { NUMBERED, TABLE_NAMES, TABLES, type Table } from '../../store/schema.ts';
import { rebuildIndex } from '../../store/search/reindex.ts';
import type { Tx } from '../../store/tx.ts';
import { checksumOf, FORMAT, type Footer, type Header } from './export.ts';

type Row = Record<string, unknown>;

const HEADER = 'the header of a memory written with "precedent export --format jsonl"';

/** Rows written with one statement. */
const BATCH = 50;
/** Remembers which stream a memory was made of. */
const IMPORTED = 'imported';

/**
 * Takes in the stream of another memory, all of it or nothing; ids, numbers, revisions and dates are kept. Taking the
 * same stream in again changes nothing.
 * @param progress receives how many rows were taken in, and how many there are
 * @param replace whether what the memory holds makes room for it; numbers that were given out stay given out
 * @throws PrecedentError `invalid` for what is no such stream or not whole; `conflict` when the memory holds something
 *   else; `unavailable` when a newer version wrote it
 */
export async function takeIn(
  tx: Tx,
  lines: AsyncIterable<string> | Iterable<string>,
  progress: (done: number, all: number) => void,
  replace = false,
): Promise<{ rows: Record<string, number>; unchanged: boolean }> {
  if (replace) await removeAll(tx);
  const isEmpty = !(await tx.db.selectFrom('records').select('seq').limit(1).executeTakeFirst());
  const hash = createHash('sha256');
  const counts: Header['rows'] = Object.fromEntries(TABLE_NAMES.map((table) => [table, 0]));
  let header: Header | undefined;
  let footer: Footer | undefined;
  let waiting: Row[] = [];
  let waitingFor: Table | undefined;
  let number = 0;
  const flush = async () => {
    if (isEmpty && waitingFor && waiting.length > 0) await insert(tx, waitingFor, waiting, number);
    waiting = [];
  };
  for await (const line of lines) {
    if (line.trim() === '') continue;
    number++;
    if (footer) throw invalid(number, 'nothing after the last line');
    const value = parse(line, number);
    if (!header) {
      header = await checkHeader(tx, value);
    } else if ('table' in value) {
      const { table, ...row } = value;
      if (typeof table !== 'string' || !Object.hasOwn(TABLES, table))
        throw invalid(number, 'the row of a table');
      hash.update(`${line}\n`);
      counts[table] = (counts[table] ?? 0) + 1;
      if (waitingFor !== table || waiting.length === BATCH) await flush();
      waitingFor = table as Table;
      waiting.push(row);
      if (number % 1_000 === 0) progress(number - 1, sum(header.rows));
    } else {
      footer = value as unknown as Footer;
    }
  }
  await flush();
  if (!header || !footer) throw invalid(number + 1, 'more: the stream ends too early');
  const isCounted = Object.entries(counts).every(([table, rows]) => (header?.rows[table] ?? 0) === rows);
  const isWhole = isCounted && footer.sha256 === hash.digest('hex');
  if (!isWhole)
    throw invalid(
      number,
      'the checksum and the number of the lines before it: they were altered, or are not all there',
    );
  if (!isEmpty) return alreadyThere(tx, header, footer);
  for (const table of NUMBERED) {
    const last = Math.max(header.last[table] ?? 0, await highest(tx, table));
    await tx.numbering.raise(tx.db, table, last);
  }
  await tx.upkeep.refreshStatistics(tx.db);
  await rebuildIndex(tx);
  await tx.upkeep.refreshStatistics(tx.db);
  // Written out again it is the same, unless an older version wrote fewer columns.
  if (header.schema === (await newestMigration(tx)) && (await checksumOf(tx)) !== footer.sha256) {
    throw new PrecedentError('internal', 'What was taken in differs from the stream. Nothing was imported.');
  }
  await writeMeta(tx, IMPORTED, footer.sha256);
  progress(number - 2, sum(header.rows));
  return { rows: header.rows, unchanged: false };
}

/** Every row, those first that refer to others; the text index is made anew in the end. */
async function removeAll(tx: Tx): Promise<void> {
  for (const table of TABLE_NAMES.toReversed()) await tx.db.deleteFrom(table).execute();
}

/** The highest number in a table: a stream that was tampered with may name a lower one as the last. */
async function highest(tx: Tx, table: (typeof NUMBERED)[number]): Promise<number> {
  const [key = ''] = TABLES[table];
  const { rows } = await sql<{ last: number }>`
    select coalesce(max(${sql.ref(key)}), 0) as last from ${sql.table(table)}`.execute(tx.db);
  return rows[0]?.last ?? 0;
}

async function alreadyThere(tx: Tx, { rows }: Header, { sha256 }: Footer) {
  if ((await readMeta(tx, IMPORTED)) === sha256) return { rows, unchanged: true };
  throw new PrecedentError(
    'conflict',
    `Expected an empty memory to import into, found that "${tx.workspace}" holds records. Name another one.`,
  );
}

async function checkHeader(tx: Tx, value: Row): Promise<Header> {
  if (
    typeof value.precedent !== 'number' ||
    typeof value.schema !== 'string' ||
    ![value.last, value.rows].every(isCounts)
  ) {
    throw invalid(1, HEADER);
  }
  if (value.precedent > FORMAT || value.schema > (await newestMigration(tx))) {
    throw new PrecedentError(
      'unavailable',
      `This stream was written by a newer version of Precedent (schema ${value.schema}). Update Precedent.`,
    );
  }
  return value as unknown as Header;
}

async function insert(tx: Tx, table: Table, rows: Row[], number: number): Promise<void> {
  const values = rows.map((row) =>
    table === 'vectors'
      ? { ...row, vector: tx.vectors.fromBytes(Buffer.from(String(row.vector), 'base64')) }
      : row,
  );
  try {
    await tx.db
      .insertInto(table)
      .values(values as never)
      .execute();
  } catch (error) {
    const { kind } = tx.fault(error);
    if (kind !== 'bug' && kind !== 'race') throw error;
    throw new PrecedentError(
      'invalid',
      `Expected rows of ${table} before line ${number}, found some that a memory cannot hold. Nothing was imported.`,
      { cause: error },
    );
  }
}

function parse(line: string, number: number): Row {
  try {
    const value = JSON.parse(line);
    if (value !== null && typeof value === 'object' && !Array.isArray(value)) return value;
  } catch {
    // Said below, in our own words.
  }
  throw invalid(number, number === 1 ? HEADER : 'a JSON object');
}

function sum(counts: Record<string, number>): number {
  return Object.values(counts).reduce((total, each) => total + each, 0);
}

function isCounts(value: unknown): value is Record<string, number> {
  return value !== null && typeof value === 'object' && Object.values(value).every(Number.isSafeInteger);
}

function invalid(line: number, expected: string): PrecedentError {
  return new PrecedentError('invalid', `Line ${line}: Expected ${expected}. Nothing was imported.`);
}
