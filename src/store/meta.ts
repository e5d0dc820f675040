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

/** What the keys of first commits begin with: a row each, so that two processes that add some lose none. */
const FIRST_COMMIT = 'first_commit:';

/** The first commits of the repository that the memory belongs to (Z-2), as 40 or 64 hexadecimal digits, sorted. */
export async function readFirstCommits(tx: Tx): Promise<string[]> {
  const { rows } = await sql<{ value: string }>`
    select value from meta where key = ${FIRST_COMMIT} || value order by value`.execute(tx.db);
  return rows.map(({ value }) => value);
}

export async function addFirstCommits(tx: Tx, ids: string[]): Promise<void> {
  await tx.db
    .insertInto('meta')
    .values(ids.map((id) => ({ key: FIRST_COMMIT + id, value: id })))
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute();
}
