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

/** The same stream with other rows: how a test puts any text into any column, on every engine. */
export function withRows([header = '', ...lines]: string[], edit: (rows: Row[]) => void): string[] {
  const rows = lines.slice(0, -1).map((line) => JSON.parse(line) as Row);
  edit(rows);
  const body = rows.map((row) => JSON.stringify(row));
  const hash = createHash('sha256').update(body.map((line) => `${line}\n`).join(''));
  return [header, ...body, JSON.stringify({ sha256: hash.digest('hex') })];
}
