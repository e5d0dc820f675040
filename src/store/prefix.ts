import { sql } from 'kysely';
import { invalid } from '../domain/error.ts';
import { isIdPrefix, isUuid } from '../domain/id.ts';
import { query } from './statements.ts';
import type { Table } from './tables.ts';
import type { Tx } from './tx.ts';

/** Ids that are named at most when several begin alike. */
const NAMED = 5;

/**
 * The record with this id, else the one record whose id begins so (U-1).
 * @param find by an exact id.
 * @throws as {@link idByPrefix}
 */
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
 * The id that a prefix of it means (U-1); undefined when there is none, or when it is not a prefix.
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
  throw invalid.ambiguous(
    `Expected a name of one record, found "${reference}", with which the ids of several ${what} begin: ${someOf(ids)}. Give more of the id.`,
  );
}

/** The ids that begin with a prefix in lower case, in order: those that are named, and one more when there are more. */
export async function idsByPrefix(tx: Tx, table: Table, prefix: string): Promise<string[]> {
  // Ids are compared by their bytes, and hold nothing after "~".
  const rows = await query<{ id: string }>(tx)`
    select id from ${sql.table(table)} where id >= ${prefix} and id < ${`${prefix}~`}
    order by id limit ${NAMED + 1}`;
  return rows.map(({ id }) => id);
}

/** Ids as a message names them, after {@link idsByPrefix}. */
export function someOf(ids: string[]): string {
  return ids.slice(0, NAMED).join(', ') + (ids.length > NAMED ? ', …' : '');
}

/** Digits of a short id: as many as reasoning needs to take the beginning of an id for one (U-1). */
const SHORTEST = 8;

/**
 * The short form of these ids, which names the same record wherever an id is taken (U-1): the first eight digits, or as
 * many as no other id of the table begins with. An id that is not a UUID is its own short form.
 */
export async function shortIds(tx: Tx, table: Table, ids: string[]): Promise<(id: string) => string> {
  const uuids = ids.filter(isUuid);
  if (uuids.length === 0) return (id) => id;
  const from = sql.table(table);
  const rows = await query<{ id: string; before: string | null; after: string | null }>(tx)`
    select wanted.id,
      (select max(t.id) from ${from} as t where t.id < wanted.id) as before,
      (select min(t.id) from ${from} as t where t.id > wanted.id) as after
    from (${tx.lists.texts(uuids)}) as wanted`;
  const short = new Map(
    rows.map(({ id, before, after }) => {
      // The ids next to it in the order have the longest beginning in common.
      const shared = Math.max(sharedBeginning(id, before ?? ''), sharedBeginning(id, after ?? ''));
      return [id, id.slice(0, Math.max(SHORTEST, shared + 1))];
    }),
  );
  return (id) => short.get(id) ?? id;
}

function sharedBeginning(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}
