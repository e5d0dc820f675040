import { createHash } from 'node:crypto';
import { PrecedentError } from '../../domain/error.ts';
import { TABLE_NAMES, TABLES, type Table } from '../../store/tables.ts';
import { FORMAT, type Footer, type Header } from './export.ts';

export type Row = Record<string, unknown>;

const HEADER = 'the header of a memory written with "precedent export --format jsonl"';

/** The lines of a stream that are not blank, one after the other, with the number of the last one for messages. */
export class Lines {
  number = 0;
  readonly #lines: AsyncGenerator<string>;

  constructor(lines: AsyncIterable<string> | Iterable<string>) {
    this.#lines = withoutBlank(lines);
  }

  /** @returns undefined at the end of the stream */
  async next(): Promise<string | undefined> {
    const { value, done } = await this.#lines.next();
    if (done) return undefined;
    this.number++;
    return value;
  }

  /** Tells the source that no more lines are wanted. */
  async close(): Promise<void> {
    await this.#lines.return(undefined);
  }
}

/**
 * Reads the first line.
 * @param newest the newest schema that this version of Precedent knows
 * @throws PrecedentError `invalid`; `unavailable` when a newer version wrote the stream
 */
export async function readHeader(lines: Lines, newest: string): Promise<Header> {
  const line = await lines.next();
  if (line === undefined) throw endsTooEarly(lines);
  const header = parse(line, lines);
  if (!isHeader(header)) throw invalid(lines.number, HEADER);
  if (header.precedent > FORMAT || header.schema > newest) {
    throw new PrecedentError(
      'unavailable',
      `A newer version of Precedent wrote this stream (schema ${header.schema}). Update Precedent.`,
    );
  }
  return header;
}

/**
 * Reads the rows, the footer and the end of the stream, and compares counts and checksum with header and footer.
 * @param take receives each row; whether all of them are there is known only in the end
 * @returns the checksum
 * @throws PrecedentError `invalid`
 */
export async function readRows(
  lines: Lines,
  header: Header,
  take: (table: Table, row: Row) => Promise<void>,
): Promise<string> {
  const hash = createHash('sha256');
  const counts: Header['rows'] = Object.fromEntries(TABLE_NAMES.map((table) => [table, 0]));
  for (let line = await lines.next(); line !== undefined; line = await lines.next()) {
    const { table, ...row } = parse(line, lines);
    if (table === undefined) return readFooter(lines, row, header, counts, hash.digest('hex'));
    if (typeof table !== 'string' || !Object.hasOwn(TABLES, table))
      throw invalid(lines.number, 'the row of a table');
    hash.update(`${line}\n`);
    counts[table] = (counts[table] ?? 0) + 1;
    await take(table as Table, row);
  }
  throw endsTooEarly(lines);
}

async function readFooter(
  lines: Lines,
  { sha256 }: Row & Partial<Footer>,
  header: Header,
  counts: Header['rows'],
  checksum: string,
): Promise<string> {
  if ((await lines.next()) !== undefined) throw invalid(lines.number, 'nothing after the footer');
  const isCounted = Object.entries(counts).every(([table, rows]) => (header.rows[table] ?? 0) === rows);
  if (isCounted && sha256 === checksum) return checksum;
  throw invalid(
    lines.number,
    'the checksum and the number of the lines before it, found others: lines were altered or are missing',
  );
}

async function* withoutBlank(lines: AsyncIterable<string> | Iterable<string>): AsyncGenerator<string> {
  for await (const line of lines) if (line.trim() !== '') yield line;
}

function isHeader(value: Row): value is Row & Header {
  const { precedent, schema, last, rows } = value;
  return typeof precedent === 'number' && typeof schema === 'string' && isCounts(last) && isCounts(rows);
}

function isCounts(value: unknown): value is Record<string, number> {
  return value !== null && typeof value === 'object' && Object.values(value).every(Number.isSafeInteger);
}

function parse(line: string, { number }: Lines): Row {
  try {
    const value = JSON.parse(line);
    if (value !== null && typeof value === 'object' && !Array.isArray(value)) return value;
  } catch {
    // The message of JSON.parse quotes the line.
  }
  throw invalid(number, number === 1 ? HEADER : 'a JSON object');
}

function endsTooEarly({ number }: Lines): PrecedentError {
  return invalid(number + 1, 'more lines: the stream ends too early');
}

function invalid(line: number, expected: string): PrecedentError {
  return new PrecedentError('invalid', `Line ${line}: Expected ${expected}. Nothing was imported.`);
}
