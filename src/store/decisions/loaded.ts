import { type RawBuilder, sql } from 'kysely';
import { CHAIN_LOOKED_AT, Chain, type Version } from '../../domain/chain.ts';
import { named } from '../names.ts';
import { notRetracted } from '../record.ts';
import { query } from '../statements.ts';
import type { Tx, Writer } from '../tx.ts';
import { type Recorded, recorded, WRITER, writersOf } from '../writer.ts';
import { type DecisionRow, newestVersion } from './decision.ts';
import { OF_GROUND } from './edge.ts';

/** The roots of the few chains that may have been decided twice: an index has them. */
export const MAY_HAVE_SIDES = sql`select x.root_id from decisions as x
  where x.version > 1 and x.based_on is distinct from x.previous_version_id`;

const LINE = sql.lit('\n');
/**
 * That no other version of the chain of `d` has an id among those that its author saw, but one that settled by mistake
 * (`headsOf`). Whole lines are compared: one id may begin another.
 */
const noneSaw = (id: RawBuilder<unknown>) => sql`not exists (select 1 from decisions as seen
  where seen.root_id = d.root_id and (substr(seen.based_on || ${LINE}, 1, length(${id}) + 1) = ${id} || ${LINE}
    or ${notRetracted('seen.seq')} and ${LINE} || seen.based_on || ${LINE}
      <> replace(${LINE} || seen.based_on || ${LINE}, ${LINE} || ${id} || ${LINE}, '')))`;

/**
 * The roots of the chains in which nobody saw the version before another one: only these have several heads.
 * @param wanted only these, as a subquery that gives them as `id`; no other chain is read
 */
export const withSeveralHeads = (wanted?: RawBuilder<unknown>) => sql`select d.root_id from decisions as d
  where ${wanted ? sql`d.root_id in (select asked.id from ${wanted} as asked where asked.id in (${MAY_HAVE_SIDES}))` : sql`1 = 1`}
    and d.version > 1 and d.based_on is distinct from d.previous_version_id and ${noneSaw(sql`d.previous_version_id`)}`;

/**
 * The id of the newest version of a chain that says what it depends on: what those before it say does not count. Its links are
 * looked up with an offset, else PostgreSQL without statistics reads all links for each version.
 * @param rootId of the chain, as SQL
 */
export const newestWithLinks = (rootId: RawBuilder<unknown>) => sql`(select given.id from decisions as given
  where given.root_id = ${rootId} and exists (
    select 1 from decision_edges as l where l.from_id = given.id and l.relationship in (${OF_GROUND}) limit 1 offset 0)
    and ${notRetracted('given.seq')} order by given.version desc limit 1)`;

interface Row extends DecisionRow, Omit<Writer, 'branch'>, Recorded {
  retractedAt: number | null;
  chain: string;
  /** Of a ground: the number of the version that depends on it. */
  dependent: number | null;
}

/** The versions that are read of a chain besides what {@link Chain} always has: all, those that a save looks at, or no others. */
type Extent = 'all' | 'recent' | 'landmarks';

/**
 * The chains with these roots, by these, with one statement.
 * @param roots ids, or a subquery that gives them as `id`
 */
export async function loadChains(
  tx: Tx,
  roots: string[] | RawBuilder<unknown>,
  extent: Extent = 'landmarks',
): Promise<Map<string, Chain>> {
  if (Array.isArray(roots) && roots.length === 0) return new Map();
  const asked = sql`(${Array.isArray(roots) ? tx.lists.texts(roots) : roots})`;
  // Coalesced, so that SQLite does not read every failure that there is by the index of outcomes.
  const isFailed = sql`coalesce(d.outcome, '') = 'failed'`;
  const others = {
    all: sql`1 = 1`,
    recent: sql`d.version = wanted.last or d.version >= wanted.last - ${sql.lit(CHAIN_LOOKED_AT)}
      and (d.withdrawn = 1 or d.reasoning is not null or r.retracted_at is not null)`,
    // The newest version of a chain without an active one was withdrawn.
    landmarks: sql`d.withdrawn = 1`,
  };
  // Cross joins have SQLite begin with the few chains that are wanted.
  const rows = await query<Row>(tx)`
    with wanted as materialized (
      select asked.id, ${newestWithLinks(sql`asked.id`)} as given,
        ${newestVersion(sql`asked.id`)} as last
      from ${asked} as asked
    )
    select d.*, r.retracted_at, ${WRITER}, wanted.id as chain, null as dependent,
      ${extent === 'all' ? recorded(sql`d.seq`, sql`d.created_at`) : null} as recorded
    from wanted join decisions as d on d.root_id = wanted.id ${writersOf('d')}
    where d.is_active = 1 or ${isFailed} or ${others[extent]} or d.tidies is not null
      or exists (select 1 from decisions as t where t.tidies = d.id) or d.root_id in (${withSeveralHeads(sql`wanted`)})
    union all
    select d.*, r.retracted_at, ${WRITER}, wanted.id, given.version, null
    from wanted cross join decision_edges as e cross join decisions as d ${writersOf('d')}
    join decisions as given on given.id = wanted.given
    where e.from_id = wanted.given and e.relationship in (${OF_GROUND}) and d.id = e.to_id and d.root_id <> wanted.id and ${isFailed} and r.retracted_at is null
    order by version, id`;
  const chains = Map.groupBy(rows, ({ chain }) => chain);
  return new Map([...chains].map(([rootId, all]) => [rootId, toChain(all)]));
}

/** The chain with this root, as {@link loadChains} gives it. */
export async function loadChain(tx: Tx, rootId: string, extent: Extent): Promise<Chain> {
  return (await loadChains(tx, [rootId], extent)).get(rootId) as Chain;
}

/** The chain that a topic leads to (D-19), as a save looks at it; undefined where it leads nowhere. */
export async function chainOfTopic(tx: Tx, topic: string): Promise<Chain | undefined> {
  const root = sql`select t.target as id from (${named('topics', topic)}) as t`;
  const [chain] = (await loadChains(tx, root, 'recent')).values();
  return chain;
}

function toChain(rows: Row[]): Chain {
  const own = rows.filter(({ dependent }) => dependent === null);
  const grounds = rows.flatMap((row) =>
    row.dependent === null ? [] : [{ failure: toVersion(row), version: row.dependent }],
  );
  return new Chain(own.map(toVersion), grounds);
}

function toVersion({
  retractedAt,
  chain: _,
  dependent: __,
  seq: ___,
  previousVersion: ____,
  ...row
}: Row): Version {
  return {
    ...row,
    isActive: row.isActive === 1,
    withdrawn: row.withdrawn === 1,
    isMistake: retractedAt !== null,
  };
}
