import { sql } from 'kysely';
import type { Tx } from './tx.ts';

/** A fact about the memory itself, such as the version of its text index. */
export async function readMeta(tx: Tx, key: string): Promise<string | undefined> {
  const { rows } = await sql<{ value: string }>`select value from meta where key = ${key}`.execute(tx.db);
  return rows[0]?.value;
}

export async function writeMeta(tx: Tx, key: string, value: string): Promise<void> {
  await tx.db
    .insertInto('meta')
    .values({ key, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute();
}
