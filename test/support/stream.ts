import { createHash } from 'node:crypto';
import type { Memory } from '../../src/index.ts';

/** A row of an exported memory, with the name of its table. */
export type Row = Record<string, unknown> & { table: string };

/** A whole memory as lines. */
export async function exported(memory: Memory): Promise<string[]> {
  const lines: string[] = [];
  await memory.export('jsonl', (line) => lines.push(line));
  return lines;
}

/** The lines of a stream that hold rows: two memories with the same content have the same. */
export function linesOfRows(lines: string[]): string[] {
  return lines.slice(1, -1);
}

/** The tables that came with schema 0006 or later. */
const NEW_TABLES = ['writers', 'topics', 'scopes', 'changes', 'saves', 'memoRevisions'];

/** The stream that the version before schema 0006 would have written of the same memory. */
export function inOlderSchema(lines: string[], edit: (rows: Row[]) => void = () => {}): string[] {
  const older = withRows(lines, (rows) => {
    const writers = new Map(rows.filter(({ table }) => table === 'writers').map((row) => [row.id, row]));
    for (const row of rows.filter((each) => 'writer' in each)) {
      const writer = writers.get(row.writer);
      delete row.writer;
      delete row.session;
      Object.assign(row, { sessionId: writer?.session, client: writer?.client });
    }
    for (const row of rows) delete row.retractedAt;
    rows.splice(0, rows.length, ...rows.filter(({ table }) => !NEW_TABLES.includes(table)));
    edit(rows);
  });
  return withHeader(older, (header) => {
    for (const table of NEW_TABLES) {
      delete header.last[table];
      delete header.rows[table];
    }
    header.schema = '0005-redactions';
  });
}

/** The same stream with other rows: how a test puts any text into any column, on every engine. */
export function withRows([first = '', ...lines]: string[], edit: (rows: Row[]) => void): string[] {
  const rows = lines.slice(0, -1).map((line) => JSON.parse(line) as Row);
  edit(rows);
  return signed([withCounts(first, rows), ...rows.map((row) => JSON.stringify(row))]);
}

/** The same stream with another header. */
export function withHeader([first = '', ...lines]: string[], edit: (header: Header) => void): string[] {
  const header = JSON.parse(first) as Header;
  edit(header);
  return signed([JSON.stringify(header), ...lines.slice(0, -1)]);
}

export interface Header {
  precedent: number;
  schema: string;
  last: Record<string, unknown>;
  rows: Record<string, unknown>;
}

/** Lines with the checksum that they must have: the first format left out the header. */
function signed(lines: string[]): string[] {
  const { precedent } = JSON.parse(lines[0] ?? '') as Header;
  const hash = createHash('sha256');
  for (const line of lines.slice(precedent === 1 ? 1 : 0)) hash.update(`${line}\n`);
  return [...lines, JSON.stringify({ sha256: hash.digest('hex') })];
}

/** The header with as many rows of each table as there are. */
function withCounts(header: string, rows: Row[]): string {
  const head = JSON.parse(header);
  for (const table of Object.keys(head.rows))
    head.rows[table] = rows.filter((row) => row.table === table).length;
  return JSON.stringify(head);
}
