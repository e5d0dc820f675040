import { sql } from 'kysely';
import { query } from './statements.ts';
import type { Tx } from './tx.ts';

/** A fact about the memory itself, such as the version of its text index. */
export async function readMeta(tx: Tx, key: string): Promise<string | undefined> {
  const [found] = await query<{ value: string }>(tx)`select value from meta where key = ${key}`;
  return found?.value;
}

export async function writeMeta(tx: Tx, key: string, value: string): Promise<void> {
  await query(tx)`insert into meta (key, value) values (${key}, ${value})
    on conflict (key) do update set value = excluded.value`;
}

/** The prefix of keys of first commits: a row each, so that two processes that add some lose none. */
const FIRST_COMMIT = 'first_commit:';

/** The first commits of the repository that the memory belongs to (Z-2), as 40 or 64 hexadecimal digits, sorted. */
export async function readFirstCommits(tx: Tx): Promise<string[]> {
  const rows = await query<{ value: string }>(tx)`
    select value from meta where key = ${FIRST_COMMIT} || value order by value`;
  return rows.map(({ value }) => value);
}

export async function addFirstCommits(tx: Tx, ids: string[]): Promise<void> {
  const values = ids.map((id) => sql`(${FIRST_COMMIT + id}, ${id})`);
  await query(tx)`insert into meta (key, value) values ${sql.join(values)} on conflict (key) do nothing`;
}
