import { sql } from 'kysely';
import { PrecedentError } from '../domain/error.ts';
import { isIdPrefix } from '../domain/id.ts';
import type { Table } from './tables.ts';
import type { Tx } from './tx.ts';

/** Ids that a refusal names at most. */
const NAMED = 5;

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
  if (!isIdPrefix(prefix)) return undefined;
  // Ids are compared by their bytes, and hold nothing behind "~".
  const { rows } = await sql<{ id: string }>`
    select id from ${sql.table(table)} where id >= ${prefix} and id < ${`${prefix}~`}
    order by id limit ${NAMED + 1}`.execute(tx.db);
  const ids = rows.map(({ id }) => id);
  if (ids.length <= 1) return ids[0];
  const more = ids.length > NAMED ? ', …' : '';
  throw new PrecedentError(
    'invalid',
    `Expected what one record is called, found "${reference}", with which several ${what} begin: ${ids.slice(0, NAMED).join(', ')}${more}. Give more of its id.`,
  );
}
