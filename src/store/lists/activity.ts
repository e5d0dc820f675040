import { sql } from 'kysely';
import type { Tx } from '../tx.ts';
import { allOf } from './condition.ts';
import type { Meant } from './meant.ts';
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

/** How that is known of a row of the log. */
const DETAIL: Partial<Record<SourceName, ReturnType<typeof sql<string>>>> = {
  decision: sql`case when d.withdrawn = 1 then 'withdrawn' when d.version = 1 then 'decided' else 'revised' end`,
  outcome: sql`x.outcome`,
  change: sql`x.kind`,
};

/** The first and the last moment of what a filter lets through, in milliseconds UTC; undefined for nothing. */
export async function spanOf(tx: Tx, filter: Meant): Promise<{ first: number; last: number } | undefined> {
  const happened = allOfThem(tx, filter);
  if (!happened) return undefined;
  const { rows } = await sql<{ first: number | null; last: number | null }>`
    select min(at) as first, max(at) as last from (${happened}) as happened`.execute(tx.db);
  const [{ first, last } = { first: null, last: null }] = rows;
  return first === null || last === null ? undefined : { first, last };
}

/** Counts what a filter lets through, by kind, by what happened and by period (U-3). @param beginnings of the periods, in order */
export async function countActivity(tx: Tx, filter: Meant, beginnings: number[]): Promise<Count[]> {
  const happened = allOfThem(tx, filter);
  if (!happened || beginnings.length === 0) return [];
  const { rows } = await sql<Count>`
    select period.beginning, happened.source, happened.detail, count(*) as count
    from (select id as beginning, lead(id) over (order by id) as finish
      from (${tx.lists.numbers(beginnings)}) as beginnings) as period
    join (${happened}) as happened
      on happened.at >= period.beginning and (period.finish is null or happened.at < period.finish)
    group by period.beginning, happened.source, happened.detail
    order by period.beginning desc, happened.source, happened.detail`.execute(tx.db);
  return rows;
}

function allOfThem(tx: Tx, filter: Meant) {
  const sources = sourcesOf(filter);
  if (sources.length === 0) return undefined;
  const parts = sources.map(
    ([name, { from, at, where }]) =>
      sql`select ${sql.lit(name)} as source, ${DETAIL[name] ?? sql`''`} as detail, ${at} as at from ${from} where ${allOf(where(tx, filter))}`,
  );
  return sql.join(parts, sql` union all `);
}
