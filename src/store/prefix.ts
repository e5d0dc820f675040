import { sql } from 'kysely';
import { PrecedentError } from '../domain/error.ts';
import { isIdPrefix } from '../domain/id.ts';
import type { Table } from './tables.ts';
import type { Tx } from './tx.ts';

/** Ids that are named at most when several begin alike. */
const NAMED = 5;

/** What has this id, else what has the one id that begins so (U-1). @param find by an exact id. @throws as {@link idByPrefix} */
export async function byIdOrPrefix<Found>(
  tx: Tx,
  table: Table,
  reference: string,
  what: string,
  find: (id: string) => Promise<Found | undefined>,
): Promise<Found | undefined> {
  const found = await find(reference);
  if (found !== undefined) return found;
  const id = await idByPrefix(tx, table, reference, what);
  return id === undefined ? undefined : find(id);
}

/**
 * The id that a prefix of it means (U-1); undefined when there is none, or when it is no prefix.
 * @param what the records of the table, for the refusal, such as `memos`
 * @throws PrecedentError `invalid` when several ids begin so, naming some
 */
export async function idByPrefix(
  tx: Tx,
  table: Table,
  reference: string,
  what: string,
): Promise<string | undefined> {
  const prefix = reference.trim().toLowerCase();
  const ids = isIdPrefix(prefix) ? await idsByPrefix(tx, table, prefix) : [];
  if (ids.length <= 1) return ids[0];
  throw new PrecedentError(
    'invalid',
    `Expected what one record is called, found "${reference}", with which several ${what} begin: ${someOf(ids)}. Give more of its id.`,
  );
}

/** The ids that begin with a prefix in small letters, in order: those that are named, and one more when there are more. */
export async function idsByPrefix(tx: Tx, table: Table, prefix: string): Promise<string[]> {
  // Ids are compared by their bytes, and hold nothing behind "~".
  const { rows } = await sql<{ id: string }>`
    select id from ${sql.table(table)} where id >= ${prefix} and id < ${`${prefix}~`}
    order by id limit ${NAMED + 1}`.execute(tx.db);
  return rows.map(({ id }) => id);
}

/** Ids as a message names them, after {@link idsByPrefix}. */
export function someOf(ids: string[]): string {
  return ids.slice(0, NAMED).join(', ') + (ids.length > NAMED ? ', …' : '');
}
