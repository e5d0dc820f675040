import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { newestMigration } from '../../store/maintenance/health.ts';
import type { Schema } from '../../store/schema.ts';
import type { Tx } from '../../store/tx.ts';

/** Every table, in an order in which each row finds what it refers to, with what its rows are sorted by. */
export const TABLES = {
  records: ['seq'],
  decisions: ['seq'],
  decisionEdges: ['fromId', 'toId', 'relationship'],
  outcomes: ['seq'],
  evidence: ['seq'],
  anchors: ['seq'],
  checkpoints: ['seq'],
  observations: ['id'],
  observationRevisions: ['observationId', 'revision'],
  relations: ['id'],
  keywords: ['seq'],
  keywordRelations: ['fromSeq', 'toSeq', 'type'],
  keywordConnections: ['keywordSeq', 'neighbourSeq'],
  memos: ['seq'],
  memoLinks: ['memoSeq', 'keywordSeq'],
  conversations: ['sessionId'],
  redactions: ['seq'],
  vectors: ['seq'],
} satisfies { [Table in Exclude<keyof Schema, 'meta'>]: (keyof Schema[Table])[] };
export type Table = keyof typeof TABLES;
export const TABLE_NAMES = Object.keys(TABLES) as Table[];

/** Tables whose numbers are given out one after the other, and never twice. */
export const NUMBERED = ['records', 'observations', 'relations'] as const satisfies Table[];

/** The format's own version. A reader refuses a higher one. */
export const FORMAT = 1;

export interface Header {
  precedent: number;
  /** Name of the newest migration. */
  schema: string;
  workspace: string;
  /** The highest number ever given out in each numbered table: none comes back, not even a deleted one's. */
  last: Record<string, number>;
  /** How many rows follow, by table. */
  rows: Record<string, number>;
}

export interface Footer {
  /** SHA-256 of the lines between header and footer, each with its line feed. */
  sha256: string;
}

/** Rows read at once; texts may be megabytes long. */
const PAGE = 25;

/**
 * A whole memory as JSON Lines: a header, a line for each row (its table, then its columns in camel case; bytes as
 * base64), a footer. Two memories with the same content give the same lines. The text index is left out, since it
 * follows from the rest.
 */
export async function* streamOf(tx: Tx): AsyncGenerator<string> {
  const last: Header['last'] = {};
  for (const table of NUMBERED) last[table] = await tx.numbering.last(tx.db, table);
  const rows: Header['rows'] = {};
  for (const table of TABLE_NAMES) rows[table] = await count(tx, table);
  const header: Header = {
    precedent: FORMAT,
    schema: await newestMigration(tx),
    workspace: tx.workspace,
    last,
    rows,
  };
  yield JSON.stringify(header);
  const hash = createHash('sha256');
  for await (const line of linesOf(tx)) {
    hash.update(`${line}\n`);
    yield line;
  }
  yield JSON.stringify({ sha256: hash.digest('hex') } satisfies Footer);
}

/** What the footer of a stream of this memory would hold. */
export async function checksumOf(tx: Tx): Promise<string> {
  const hash = createHash('sha256');
  for await (const line of linesOf(tx)) hash.update(`${line}\n`);
  return hash.digest('hex');
}

async function* linesOf(tx: Tx): AsyncGenerator<string> {
  for (const table of TABLE_NAMES) {
    for await (const row of rowsOf(tx, table)) yield JSON.stringify({ table, ...row });
  }
}

/** The rows of a table in the order of its key, as they are written out. */
export async function* rowsOf(tx: Tx, table: Table): AsyncGenerator<Record<string, unknown>> {
  const key: string[] = TABLES[table];
  const columns = sql.join(key.map((column) => sql.ref(column)));
  for (let last: Record<string, unknown> | undefined; ; ) {
    const after =
      last === undefined
        ? sql``
        : sql`where (${columns}) > (${sql.join(key.map((column) => last?.[column]))})`;
    const { rows } = await sql<Record<string, unknown>>`
      select * from ${sql.table(table)} ${after} order by ${columns} limit ${PAGE}`.execute(tx.db);
    for (const row of rows) yield 'vector' in row ? { ...row, vector: base64(tx, row.vector) } : row;
    if (rows.length < PAGE) return;
    last = rows.at(-1);
    // An embedded database answers without a pause: signals and timers get their turn here.
    await setImmediate();
  }
}

async function count(tx: Tx, table: Table): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${sql.table(table)}`.execute(tx.db);
  return rows[0]?.count ?? 0;
}

function base64(tx: Tx, vector: unknown): string {
  return Buffer.from(tx.vectors.toBytes(vector)).toString('base64');
}
