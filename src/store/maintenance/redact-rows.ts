import { createHash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { Table } from '../tables.ts';
import type { Tx } from '../tx.ts';

/** Rows that are no record and belong to many: each is called by its kind and its key, or the hash of a key that is a name. */
const ROWS = {
  writer: { table: 'writers', key: 'id' },
  change: { table: 'changes', key: 'seq' },
  scope: { table: 'scopes', key: 'name' },
  conversation: { table: 'conversations', key: 'session_id' },
  origin: { table: 'origins', key: 'key' },
} as const satisfies Record<string, { table: Table; key: string }>;
export type RowKind = keyof typeof ROWS;

interface FoundRow {
  kind: RowKind;
  table: Table;
  /** A condition on the row. */
  where: RawBuilder<unknown>;
  /** What tells a blanked name in it from others that were blanked. */
  apart: string;
}

/** What {@link findRow} finds a row by. */
export function rowReference(kind: RowKind, key: unknown): string {
  return `${kind}:${typeof key === 'string' ? hashOfKey(key) : key}`;
}

/** A row that is called as {@link rowReference} calls it, and its texts; undefined when there is none. */
export async function findRow(tx: Tx, reference: string): Promise<FoundRow | undefined> {
  const [kind = '', called = ''] = reference.split(':');
  if (!Object.hasOwn(ROWS, kind)) return undefined;
  const { table, key } = ROWS[kind as RowKind];
  const { rows } = await sql<{ key: string | number }>`
    select ${sql.ref(key)} as key from ${sql.table(table)}`.execute(tx.db);
  const row = rows.find((each) => rowReference(kind as RowKind, each.key) === reference);
  if (!row) return undefined;
  // A name of who writes is in a row for each process: it is one name, and goes from all of them.
  const where = kind === 'writer' ? sql`1 = 1` : sql`${sql.ref(key)} = ${row.key}`;
  return { kind: kind as RowKind, table, where, apart: called };
}

/** A name that may hold a secret is not shown to say where it is. */
function hashOfKey(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 12);
}
