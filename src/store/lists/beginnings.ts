import { sql } from 'kysely';
import { isIdPrefix } from '../../domain/id.ts';
import { idsByPrefix } from '../prefix.ts';
import type { Tx } from '../tx.ts';

/** Names and ids at most: nobody reads more in a shell. */
const OFFERED = 40;
/** Digits of an id that are typed at least. */
const TYPED = 2;
/** Digits of an id that are shown, unless more were typed. */
const SHOWN = 8;
/** Comes behind every character of a name. */
const LAST = '\u{10ffff}';

/** What is called so, as far as it is typed: topics, scopes, and ids of decisions (U-8). */
export interface Beginnings {
  topics: string[];
  scopes: string[];
  ids: string[];
}

/** The topics, scopes and short ids that begin with what was typed, in the order of their bytes. */
export async function beginningWith(tx: Tx, typed: string): Promise<Beginnings> {
  const names = async (table: 'topics' | 'scopes') => {
    const { rows } = await sql<{ name: string }>`
      select name from ${sql.table(table)} where name >= ${typed} and name < ${typed + LAST}
      order by name limit ${OFFERED}`.execute(tx.db);
    return rows.map(({ name }) => name);
  };
  const prefix = typed.toLowerCase();
  const ids = isIdPrefix(prefix, TYPED) ? await idsByPrefix(tx, 'decisions', prefix) : [];
  return {
    topics: await names('topics'),
    scopes: await names('scopes'),
    ids: ids.map((id) => id.slice(0, Math.max(SHOWN, typed.length))),
  };
}
