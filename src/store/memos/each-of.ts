import { type RawBuilder, sql } from 'kysely';
import { append } from '../../domain/append.ts';
import type { Tx } from '../tx.ts';

/** Small queries in one statement at most. */
const AT_ONCE = 100;

/** The rows of one small, limited query for each key, in few statements. */
export async function eachOf<Row>(
  tx: Tx,
  keys: number[],
  query: (key: number) => RawBuilder<unknown>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let start = 0; start < keys.length; start += AT_ONCE) {
    const parts = keys.slice(start, start + AT_ONCE).map((key) => sql`select * from (${query(key)}) as part`);
    append(rows, (await sql<Row>`${sql.join(parts, sql` union all `)}`.execute(tx.db)).rows);
  }
  return rows;
}
