import { sql } from 'kysely';
import type { Meant } from '../kinds/condition.ts';
import { allOf } from '../kinds/condition.ts';
import type { Tx } from '../tx.ts';
import { type SourceName, sourcesOf } from './timeline.ts';

/** How much of a kind happened in a period. */
export interface Count {
  /** The beginning of the period, in milliseconds UTC. */
  beginning: number;
  source: SourceName;
  /** Of a decision whether it was decided, revised or withdrawn, of an outcome which, of a change its kind; else empty. */
  detail: string;
  count: number;
}

/** The first and the last moment of what a filter lets through, in milliseconds UTC; undefined for nothing. */
export async function spanOf(tx: Tx, filter: Meant): Promise<{ first: number; last: number } | undefined> {
  const sources = sourcesOf(filter);
  if (sources.length === 0) return undefined;
  // Each asked for by itself: an index in the order of time has it at its ends.
  const ends = sources.map(([, { from, at, where }]) => {
    const passing = sql`from ${from} where ${allOf(where(tx, filter))}`;
    return sql`select (select min(${at}) ${passing}) as first, (select max(${at}) ${passing}) as last`;
  });
  const { rows } = await sql<{ first: number | null; last: number | null }>`
    select min(first) as first, max(last) as last from (${sql.join(ends, sql` union all `)}) as ends`.execute(
    tx.db,
  );
  const [{ first, last } = { first: null, last: null }] = rows;
  return first === null || last === null ? undefined : { first, last };
}

/** Counts what a filter lets through, by kind, by what happened and by period (U-3). @param beginnings of the periods, in order */
export async function countActivity(tx: Tx, filter: Meant, beginnings: number[]): Promise<Count[]> {
  const sources = sourcesOf(filter);
  if (sources.length === 0 || beginnings.length === 0) return [];
  // Counted by period and by table, from where an index begins to where the period ends: what is counted is not sorted.
  const counted = sources.map(([name, { from, at, detail, where }]) => {
    const passing = sql`${from} where ${at} >= period.beginning and ${at} < period.finish
      and ${allOf(where(tx, filter))}`;
    return detail === undefined
      ? sql`select period.beginning, ${sql.lit(name)} as source, '' as detail,
          (select count(*) from ${passing}) as count from period`
      : sql`select period.beginning, ${sql.lit(name)} as source, ${detail} as detail, count(*) as count
          from period cross join ${passing} group by period.beginning, ${detail}`;
  });
  const { rows } = await sql<Count>`
    with period as materialized (
      select id as beginning, lead(id, 1, ${sql.lit(Number.MAX_SAFE_INTEGER)}) over (order by id) as finish
      from (${tx.lists.numbers(beginnings)}) as beginnings
    )
    select * from (${sql.join(counted, sql` union all `)}) as counted where count > 0
    order by beginning desc, source, detail`.execute(tx.db);
  return rows;
}
