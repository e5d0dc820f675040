import { type RawBuilder, sql } from 'kysely';
import type { Place } from '../../domain/cursor.ts';
import type { Match } from '../../domain/ranking/similarity.ts';
import type { Tx } from '../tx.ts';
import { conditionOf, showsEvery, type VersionFilter } from './version-filter.ts';

/** Later than every moment, and higher than the number of any record. */
const ANY = Number.MAX_SAFE_INTEGER;

/**
 * The newest chains, each with its newest version and those before it that failed; with `history` or an outcome, with
 * every version that passes the filter.
 *
 * A page that begins at a place goes on in the order that there was on the first page: a chain is where its versions
 * of then put it, so that a version saved meanwhile neither repeats nor hides it (W-6). It shows what is active now.
 * @param from the place of the first chain of the page; undefined for the newest
 * @returns also how many chains there are, or with `history` or an outcome how many versions; `places`, one for each chain
 */
export async function newestChains(
  tx: Tx,
  filter: VersionFilter,
  limit: number,
  from?: Place,
): Promise<{ chains: Match[][]; places: Place[]; total: number }> {
  const [at = ANY, last = ANY, asOf = ANY] = from ?? [];
  const all = showsEvery(filter);
  // Materialized, so that SQLite reads by the filter's index: without it, it reads all versions in the order of chains.
  const { rows } = await sql<{
    rootId: string;
    newest: number;
    last: number;
    chains: number;
    versions: number;
    asOf: number;
  }>`
    with matched as materialized (
      select d.seq, d.root_id, d.created_at from decisions as d where ${listed(filter, asOf)}
    )
    select *, (select max(seq) from decisions) as as_of from (
      select root_id, max(created_at) as newest, max(seq) as last, count(*) over () as chains,
        sum(count(*)) over () as versions
      from matched group by root_id
    ) as grouped where (newest, last) <= (${at}, ${last}) order by newest desc, last desc limit ${limit}
  `.execute(tx.db);
  const [first] = rows;
  if (first === undefined) {
    // What was left was changed meanwhile: no row says how many there are.
    const total = from ? (await newestChains(tx, filter, 1)).total : 0;
    return { chains: [], places: [], total };
  }
  const rootIds = rows.map(({ rootId }) => rootId);
  const versions = await versionsOf(tx, rootIds, listed(filter, all ? asOf : ANY));
  return {
    chains: rootIds.map((rootId) => versions.filter((version) => version.rootId === rootId)),
    places: rows.map((row) => [row.newest, row.last, from ? asOf : row.asOf]),
    total: all ? first.versions : first.chains,
  };
}

/** The number of the newest version in the chain of `decisions as d`. */
const HEAD = sql`(select max(version) from decisions as newer where newer.root_id = d.root_id)`;

/**
 * The versions that are listed, as a condition on `decisions as d`. The plus keeps SQLite from reading by number.
 * @param asOf the number of the last version that was there
 */
function listed(filter: VersionFilter, asOf: number): RawBuilder<unknown> {
  const passing = sql`${conditionOf(filter)} and +d.seq <= ${asOf}`;
  if (showsEvery(filter)) return passing;
  return sql`${passing} and (d.outcome = 'failed' or not exists (
    select 1 from decisions as newer
    where newer.root_id = d.root_id and newer.version = d.version + 1 and newer.seq <= ${asOf}))`;
}

/** The listed versions of these chains, the newest first. */
async function versionsOf(tx: Tx, rootIds: string[], isListed: RawBuilder<unknown>): Promise<Match[]> {
  // A cross join, so that SQLite starts from the chains and not from an index on outcome or scope.
  const { rows } = await sql<Omit<Match, 'isHead' | 'score'> & { isHead: number }>`
    select d.id, d.root_id, d.version, d.text, d.outcome, case when d.version = ${HEAD} then 1 else 0 end as is_head
    from (${tx.lists.texts(rootIds)}) as wanted cross join decisions as d
    where d.root_id = wanted.id and ${isListed} order by d.version desc
  `.execute(tx.db);
  return rows.map((row) => ({ ...row, isHead: row.isHead === 1, score: 0 }));
}
