import { createHash } from 'node:crypto';
import { invalid, type PrecedentError, unavailable } from '../../domain/error.ts';
import { jsonIn } from '../../domain/text/json.ts';
import { excerptOf } from '../../domain/text/visible.ts';
import { isTooDeep } from '../../files/depth.ts';
import { LARGEST_NUMBER } from '../../store/columns.ts';
import type { Row } from '../../store/invariants/rows.ts';
import { LAST_UNRELEASED } from '../../store/migrations/migrations.ts';
import { NUMBERED, TABLE_NAMES, TABLES, type Table } from '../../store/tables.ts';
import { isObject } from '../importers/values.ts';
import { FORMAT, type Footer, type Header } from './export.ts';

const HEADER = 'the header of a memory written with "precedent export --format jsonl"';

/** The lines of a stream that are not blank, one after the other, with the number of the last one for messages. */
export class Lines {
  number = 0;
  /** SHA-256 of the lines that were read, each with its line feed, and of those below the header alone. */
  readonly all = createHash('sha256');
  readonly rows = createHash('sha256');
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
 * @throws PrecedentError `invalid`; `unavailable` when a newer version wrote the stream, or one before the first release
 */
export async function readHeader(lines: Lines, newest: string): Promise<Header> {
  const line = await lines.next();
  if (line === undefined) throw endsTooEarly(lines);
  const header = parse(line, lines);
  if (!isHeader(header)) throw wrongLine(lines.number, HEADER);
  lines.all.update(`${line}\n`);
  if (header.precedent > FORMAT || header.schema > newest) {
    throw unavailable.newer(
      `A newer version of Precedent wrote this stream (schema ${header.schema}). Update Precedent.`,
    );
  }
  if (header.precedent < FORMAT || header.schema < LAST_UNRELEASED) {
    throw unavailable.unreleased(
      `This stream was written before the first release of Precedent (schema ${excerptOf(header.schema, 40)}), and this version does not read it. Import it with the last version before that release, which has schema ${LAST_UNRELEASED}, and export it again there.`,
    );
  }
  checkNumbers(header, lines);
  return header;
}

/** Numbers that no memory has are refused before a row is written: a memory would go on from them. */
function checkNumbers({ last, rows }: Header, { number }: Lines): void {
  const strange = Object.keys(rows).find((table) => !Object.hasOwn(TABLES, table));
  if (strange !== undefined)
    throw wrongLine(number, `counts of tables, found one of "${excerptOf(strange, 40)}"`);
  const isNumbered = (table: string) => NUMBERED.some((each) => each === table);
  const wrong = Object.entries(last).find(([table, each]) => !isNumbered(table) || each > LARGEST_NUMBER);
  if (wrong) {
    const expected = `the last numbers of ${NUMBERED.join(', ')}, none above ${LARGEST_NUMBER}`;
    throw wrongLine(number, `${expected}, found ${wrong[1]} for "${excerptOf(wrong[0], 40)}"`);
  }
}

/**
 * Reads the rows, the footer and the end of the stream, and compares counts and checksum with header and footer.
 * @param take receives each row; whether all of them are there is known only in the end
 * @returns the checksum of the rows
 * @throws PrecedentError `invalid`
 */
export async function readRows(
  lines: Lines,
  header: Header,
  take: (table: Table, row: Row) => Promise<void>,
): Promise<string> {
  const counts: Header['rows'] = Object.fromEntries(TABLE_NAMES.map((table) => [table, 0]));
  for (let line = await lines.next(); line !== undefined; line = await lines.next()) {
    const { table, ...row } = parse(line, lines);
    if (table === undefined) return readFooter(lines, row, header, counts);
    if (typeof table !== 'string' || !Object.hasOwn(TABLES, table))
      throw wrongLine(lines.number, 'the row of a table');
    for (const hash of [lines.all, lines.rows]) hash.update(`${line}\n`);
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
): Promise<string> {
  const checksum = lines.rows.digest('hex');
  if ((await lines.next()) !== undefined) throw wrongLine(lines.number, 'nothing after the footer');
  const isCounted = Object.entries(counts).every(([table, rows]) => (header.rows[table] ?? 0) === rows);
  if (isCounted && sha256 === lines.all.digest('hex')) return checksum;
  throw wrongLine(
    lines.number,
    'the checksum and the number of the lines before it, found others: lines were altered or are missing',
  );
}

async function* withoutBlank(lines: AsyncIterable<string> | Iterable<string>): AsyncGenerator<string> {
  for await (const line of lines) if (line.trim() !== '') yield line;
}

function isHeader(value: Row): value is Row & Header {
  const { precedent, schema, last, rows } = value;
  const isFormat = Number.isSafeInteger(precedent) && Number(precedent) >= 1;
  return isFormat && typeof schema === 'string' && isCounts(last) && isCounts(rows);
}

function isCounts(value: unknown): value is Record<string, number> {
  if (!isObject(value)) return false;
  return Object.values(value).every((each) => Number.isSafeInteger(each) && Number(each) >= 0);
}

function parse(line: string, { number }: Lines): Row {
  // A parser takes half a minute for 60 MB of open brackets (Z-6).
  const value = isTooDeep(line, 'json') ? undefined : jsonIn(line);
  if (isObject(value)) return value as Row;
  throw wrongLine(number, number === 1 ? HEADER : 'a JSON object');
}

function endsTooEarly({ number }: Lines): PrecedentError {
  return wrongLine(number + 1, 'more lines: the stream ends too early');
}

/** @param expected as it follows "Expected", with what was found */
export function wrongLine(line: number, expected: string): PrecedentError {
  return invalid.wrong_content(`Line ${line}: Expected ${expected}. Nothing was imported.`);
}
