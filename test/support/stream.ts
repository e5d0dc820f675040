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

/** Lines with the checksum that they must have. */
function signed(lines: string[]): string[] {
  const hash = createHash('sha256');
  for (const line of lines) hash.update(`${line}\n`);
  return [...lines, JSON.stringify({ sha256: hash.digest('hex') })];
}

/** The header with as many rows of each table as there are. */
function withCounts(header: string, rows: Row[]): string {
  const head = JSON.parse(header);
  for (const table of Object.keys(head.rows))
    head.rows[table] = rows.filter((row) => row.table === table).length;
  return JSON.stringify(head);
}
