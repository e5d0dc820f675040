import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { append } from '../../domain/append.ts';
import { conflict, invalid, type PrecedentError } from '../../domain/error.ts';
import { VersionsInOrder } from '../../domain/import/versions-in-order.ts';
import { followed } from '../../store/columns.ts';
import type { Finding } from '../../store/invariants/finding.ts';
import { checkRow, completed } from '../../store/invariants/finding.ts';
import { OriginRules } from '../../store/invariants/origins.ts';
import type { Row } from '../../store/invariants/rows.ts';
import {
  checkTogether,
  type Last,
  NONE_GIVEN_OUT,
  repairNumbering,
} from '../../store/invariants/together.ts';
import { readMeta, writeMeta } from '../../store/meta.ts';
import { newestMigration } from '../../store/migrations/migrations.ts';
import { newestRecord } from '../../store/record.ts';
import { insertRows } from '../../store/rows.ts';
import { rebuildIndex } from '../../store/search/reindex.ts';
import { query } from '../../store/statements.ts';
import { NUMBERED, TABLE_NAMES, TABLES, type Table } from '../../store/tables.ts';
import type { Tx } from '../../store/tx.ts';
import { checksumOf, type Header } from './export.ts';
import { Lines, readHeader, readRows, wrongLine } from './read.ts';

/** The meta entry that holds the checksum of the stream that a memory was made of. */
const IMPORTED = 'imported';
/** Options of an import. */
export interface ImportOptions {
  /** The stream replaces what the memory holds; numbers that were given out stay given out. */
  replace?: boolean;
  /** Rows are taken in as they are, also those that break a rule: a backup keeps what there is. */
  asItIs?: boolean;
}

/** How often progress is reported, in lines. */
const PROGRESS = 1_000;

/**
 * Imports the stream of another memory, all of it or nothing; ids, numbers, revisions and dates are kept. Importing the
 * same stream again changes nothing.
 * @param progress receives how many rows were read, and how many there are
 * @throws PrecedentError `invalid` for a stream that is altered or not whole, or that holds what no memory may: the
 *   message names line, record and rule (E-4); `conflict` when the memory holds other
 *   records; `unavailable` when a newer version wrote the stream, or one before the first release
 */
export async function importStream(
  tx: Tx,
  stream: AsyncIterable<string> | Iterable<string>,
  progress: (done: number, all: number) => void,
  { replace = false, asItIs = false }: ImportOptions = {},
): Promise<{ rows: Record<string, number>; unchanged: boolean }> {
  if (replace) await removeAll(tx);
  const isEmpty = (await newestRecord(tx)) === 0;
  const lines = new Lines(stream);
  try {
    const newest = await newestMigration(tx);
    const header = await readHeader(lines, newest);
    const all = Object.values(header.rows).reduce((total, each) => total + each, 0);
    const writer = new RowWriter(tx);
    const gate = asItIs ? OPEN_GATE : new Gate(header, newest);
    const checksum = await readRows(lines, header, async (table, row) => {
      // A memory that holds records may have been made of this very stream: it is read, and compared by its checksum.
      if (isEmpty) await writer.add(table, gate.admit(table, row, lines.number), lines.number);
      if (lines.number % PROGRESS === 0) progress(lines.number - 1, all);
    });
    if (!isEmpty) {
      await requireImported(tx, checksum);
      return { rows: header.rows, unchanged: true };
    }
    await writer.flush(lines.number);
    await gate.close(tx);
    // On some engines numbers stay given out when the transaction is rolled back.
    await number(tx, header);
    await rebuildIndex(tx);
    await tx.upkeep.refreshStatistics(tx.db);
    if ((await checksumOf(tx)) !== gate.checksum(checksum)) {
      throw invalid.wrong_content(
        'Expected rows as an export writes them, found others: written out again they differ. Nothing was imported.',
      );
    }
    await writeMeta(tx, IMPORTED, checksum);
    progress(lines.number - 2, all);
    return { rows: header.rows, unchanged: false };
  } finally {
    await lines.close();
  }
}

/** Deletes every row, those first that refer to others; the import rebuilds the text index in the end. */
async function removeAll(tx: Tx): Promise<void> {
  for (const table of TABLE_NAMES.toReversed()) await query(tx)`delete from ${sql.table(table)}`;
}

/** @throws PrecedentError `conflict` unless the memory was made of the stream with this checksum */
async function requireImported(tx: Tx, checksum: string): Promise<void> {
  if ((await readMeta(tx, IMPORTED)) === checksum) return;
  throw conflict.not_empty(
    `Expected an empty memory to import into, found records in "${tx.workspace}". Name another one.`,
  );
}

/** Continues the numbering of the other memory. */
async function number(tx: Tx, { last }: Header): Promise<void> {
  for (const table of NUMBERED) await tx.numbering.raise(tx.db, table, last[table] ?? 0);
  // Rows that are taken in as they are may have higher numbers.
  await repairNumbering(tx);
}

/** Rows written with one statement. */
const BATCH = 50;

/** Writes rows as they are, many of a table at once. */
class RowWriter {
  readonly #tx: Tx;
  #table: Table | undefined;
  #rows: Row[] = [];
  readonly #versions = new VersionsInOrder<Row>();

  constructor(tx: Tx) {
    this.#tx = tx;
  }

  /** @param line the number of the row's line, for messages */
  async add(table: Table, row: Row, line: number): Promise<void> {
    if (table !== this.#table || this.#rows.length >= BATCH) await this.flush(line, table);
    this.#table = table;
    append(this.#rows, table === 'decisions' ? this.#versions.next(row) : [row]);
  }

  /**
   * Writes the rows that wait.
   * @param line the number of the line after them
   * @param next the table of the next row: of another one, the versions that still wait for the one before them wait no longer
   * @throws PrecedentError `invalid` when the database refuses one of them
   */
  async flush(line: number, next?: Table): Promise<void> {
    const rows = [...this.#rows, ...(next === this.#table ? [] : this.#versions.rest())];
    this.#rows = [];
    if (this.#table === undefined || rows.length === 0) return;
    try {
      await this.#insert(this.#table, rows);
    } catch (error) {
      const { kind } = this.#tx.fault(error);
      if (kind !== 'bug' && kind !== 'race') throw error;
      throw invalid.wrong_content(
        `Expected rows of ${this.#table} before line ${line}, found one that a memory cannot hold. Nothing was imported.`,
        { cause: error },
      );
    }
  }

  async #insert(table: Table, rows: Row[]): Promise<void> {
    const { vectors } = this.#tx;
    const decoded = ({ vector, ...row }: Row) => ({
      ...row,
      vector: vectors.fromBytes(Buffer.from(String(vector), 'base64')),
    });
    await insertRows(this.#tx, table, (table === 'vectors' ? rows.map(decoded) : rows) as never);
  }
}

/** Lets the rows of a stream into a memory that break no rule, and fills in the columns that an older version did not have. */
class Gate {
  readonly #last: Last;
  readonly #isOlder: boolean;
  readonly #origins = new OriginRules();
  readonly #rows = createHash('sha256');
  /** The line of each table's first row: the others follow in the order of their keys. */
  readonly #first: { [T in Table]?: number } = {};

  /** @param newest the newest schema that this version of Precedent knows: an older one has fewer columns */
  constructor({ last, schema }: Header, newest: string) {
    this.#last = { ...NONE_GIVEN_OUT, ...last };
    this.#isOlder = schema < newest;
  }

  /**
   * @returns the row with all columns that it has today, in their order
   * @throws PrecedentError `invalid` when it breaks a rule by itself or with the rows above it
   */
  admit(table: Table, row: Row, line: number): Row {
    this.#first[table] ??= line;
    const whole = this.#isOlder ? completed(table, row) : row;
    const [finding = this.#origins.check(table, whole, line)] = checkRow(table, whole, followed);
    if (finding) throw refused(line, finding);
    this.#checkNumber(table, whole, line);
    if (this.#isOlder) this.#rows.update(`${JSON.stringify({ table, ...whole })}\n`);
    return whole;
  }

  /** @throws PrecedentError `invalid` when rows that were written break a rule together */
  async close(tx: Tx): Promise<void> {
    const lost = this.#origins.end();
    if (lost) throw refused(1, lost);
    const [finding] = await checkTogether(tx, this.#last, 1);
    if (finding) throw refused(await this.#lineOf(tx, finding), finding);
  }

  /** The checksum that the rows of the memory must have now. @param given that of the rows as they came */
  checksum(given: string): string {
    return this.#isOlder ? this.#rows.digest('hex') : given;
  }

  /** The last number that the header names was given out last: none of a row is above it. */
  #checkNumber(table: Table, row: Row, line: number): void {
    const numbered = NUMBERED.find((each) => each === table);
    if (!numbered) return;
    const [key] = TABLES[numbered];
    const given = Number(row[key as string]);
    const last = this.#last[numbered];
    if (given <= last) return;
    throw wrongLine(
      line,
      `${key} to be at most ${last}, the last of ${numbered} in the header, found ${given}`,
    );
  }

  /** Rows are in the order of their keys, so that those before one tell its line. */
  async #lineOf(tx: Tx, { table, key }: Finding): Promise<number> {
    const columns = TABLES[table] as string[];
    const first = this.#first[table];
    if (first === undefined || columns.some((column) => key[column] === undefined)) return 1;
    const [earlier] = await query<{ before: number }>(tx)`
      select count(*) as before from ${sql.table(table)}
      where (${sql.join(columns.map((column) => sql.ref(column)))})
        < (${sql.join(columns.map((column) => key[column]))})`;
    return first + (earlier?.before ?? 0);
  }
}

/** Lets every row in, as it is: for what a memory held already. */
const OPEN_GATE: Pick<Gate, 'admit' | 'close' | 'checksum'> = {
  admit: (_, row) => row,
  close: async () => {},
  checksum: (given) => given,
};

function refused(line: number, finding: Finding): PrecedentError {
  return wrongLine(finding.line ?? line, `${finding.expected}, found ${finding.found} (${finding.record})`);
}
