import { type RawBuilder, sql } from 'kysely';
import type { Match } from '../../domain/ranking/similarity.ts';
import type { Tx } from '../tx.ts';
import { conditionOf, showsEvery, type VersionFilter } from './version-filter.ts';

/**
 * The newest chains, each with its newest version and those before it that failed; with `history` or an outcome, with
 * every version that passes the filter.
 * @returns also how many chains there are, or with `history` or an outcome how many versions
 */
export async function newestChains(
  tx: Tx,
  filter: VersionFilter,
  limit: number,
): Promise<{ chains: Match[][]; total: number }> {
  const all = showsEvery(filter);
  const passing = conditionOf(filter);
  const listed = all ? passing : sql`${passing} and (d.outcome = 'failed' or d.version = ${HEAD})`;
  // Materialized, so that SQLite reads by the filter's index: without it, it reads all versions in the order of chains.
  const { rows: newest } = await sql<{ rootId: string; chains: number; versions: number }>`
    with matched as materialized (select d.seq, d.root_id, d.created_at from decisions as d where ${listed})
    select root_id, count(*) over () as chains, sum(count(*)) over () as versions
    from matched group by root_id order by max(created_at) desc, max(seq) desc limit ${limit}
  `.execute(tx.db);
  const versions = await versionsOf(
    tx,
    newest.map(({ rootId }) => rootId),
    listed,
  );
  return {
    chains: newest.map(({ rootId }) => versions.filter((version) => version.rootId === rootId)),
    total: (all ? newest[0]?.versions : newest[0]?.chains) ?? 0,
  };
}

/** The number of the newest version in the chain of `decisions as d`. */
const HEAD = sql`(select max(version) from decisions as newer where newer.root_id = d.root_id)`;

/** The listed versions of these chains, the newest first. */
async function versionsOf(tx: Tx, rootIds: string[], listed: RawBuilder<unknown>): Promise<Match[]> {
  // A cross join, so that SQLite starts from the chains and not from an index on outcome or scope.
  const { rows } = await sql<Omit<Match, 'isHead' | 'score'> & { isHead: number }>`
    select d.id, d.root_id, d.version, d.outcome, case when d.version = ${HEAD} then 1 else 0 end as is_head
    from (${tx.lists.texts(rootIds)}) as wanted cross join decisions as d
    where d.root_id = wanted.id and ${listed} order by d.version desc
  `.execute(tx.db);
  return rows.map((row) => ({ ...row, isHead: row.isHead === 1, score: 0 }));
}
