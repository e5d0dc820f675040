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

/** The tables and columns that came with schema 0006. */
const NEW_TABLES = ['writers', 'topics', 'scopes', 'changes'];

/** The stream that the version before schema 0006 would have written of the same memory. */
export function inOlderSchema(lines: string[], edit: (rows: Row[]) => void = () => {}): string[] {
  const [header = '', ...others] = withRows(lines, (rows) => {
    const writers = new Map(rows.filter(({ table }) => table === 'writers').map((row) => [row.id, row]));
    for (const row of rows.filter((each) => 'writer' in each)) {
      const writer = writers.get(row.writer);
      delete row.writer;
      Object.assign(row, { sessionId: writer?.session, client: writer?.client });
    }
    rows.splice(0, rows.length, ...rows.filter(({ table }) => !NEW_TABLES.includes(table)));
    edit(rows);
  });
  const { last, rows, ...head } = JSON.parse(header);
  for (const table of NEW_TABLES) {
    delete last[table];
    delete rows[table];
  }
  return [JSON.stringify({ ...head, schema: '0005-redactions', last, rows }), ...others];
}

/** The same stream with other rows: how a test puts any text into any column, on every engine. */
export function withRows([first = '', ...lines]: string[], edit: (rows: Row[]) => void): string[] {
  const rows = lines.slice(0, -1).map((line) => JSON.parse(line) as Row);
  edit(rows);
  const header = withCounts(first, rows);
  const body = rows.map((row) => JSON.stringify(row));
  const hash = createHash('sha256').update(body.map((line) => `${line}\n`).join(''));
  return [header, ...body, JSON.stringify({ sha256: hash.digest('hex') })];
}

/** The header with as many rows of each table as there are. */
function withCounts(header: string, rows: Row[]): string {
  const head = JSON.parse(header);
  for (const table of Object.keys(head.rows))
    head.rows[table] = rows.filter((row) => row.table === table).length;
  return JSON.stringify(head);
}
