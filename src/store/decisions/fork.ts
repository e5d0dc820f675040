import { sql } from 'kysely';
import { reachOf } from '../../domain/chain.ts';
import type { Side } from '../../domain/decided-twice.ts';
import type { Decision } from '../../domain/decision.ts';
import { notRetracted } from '../record.ts';
import { query } from '../statements.ts';
import type { Tx } from '../tx.ts';
import { type DecisionRow, findDecisions, toDecision } from './decision.ts';
import { loadChains, MAY_HAVE_SIDES, noneSaw, withSeveralHeads } from './loaded.ts';

/**
 * That a version of a chain that may have been decided twice is one of its heads, as a condition on it and its chain `d`. The
 * next version has mostly seen it, and is looked up first: a chain is not read for each of its versions.
 * @param version its name in the statement
 */
export const isHead = (version = 'd') => {
  const [id, number] = [sql.ref(`${version}.id`), sql.ref(`${version}.version`)];
  return sql`(d.root_id in (${MAY_HAVE_SIDES}) and ${id} is distinct from (select next.based_on
    from decisions as next where next.root_id = d.root_id and next.version = ${number} + 1) and ${noneSaw(id)})`;
};

/** The active versions that are one side of what was decided twice, with another side in one of these scopes. */
export async function withSideIn(tx: Tx, ...scopes: string[]): Promise<Decision[]> {
  const rows = await query<DecisionRow>(tx)`select d.* from decisions as d where d.is_active = 1
    and exists (select 1 from decisions as side where side.root_id = d.root_id and side.is_active = 0 and side.withdrawn = 0
      and side.scope in (${sql.join(scopes)}) and ${notRetracted('side.seq')} and ${isHead('side')})
    order by d.created_at desc, d.seq desc`;
  return rows.map(toDecision);
}

/** The active axes and locks elsewhere that were decided twice, with another side in one of these scopes: both bind (T-6). */
export const bindingTwice = async (tx: Tx, ...scopes: string[]): Promise<Decision[]> =>
  (await withSideIn(tx, ...scopes)).filter((each) => reachOf(each) > 0 && !scopes.includes(each.scope));

/** A chain that was decided twice: what neither author saw of the other, in the order of the chain. */
export interface Fork {
  rootId: string;
  heads: Side[];
}

/**
 * The chains in which two machines decided differently and nobody settled it yet (Y-2), by their roots.
 * @param rootIds only these; default: all
 */
export async function forksOf(tx: Tx, rootIds?: string[]): Promise<Map<string, Fork>> {
  const roots = rootIds && sql`(${tx.lists.texts(rootIds)})`;
  const chains = await loadChains(
    tx,
    sql`select distinct found.root_id as id from (${withSeveralHeads(roots)}) as found`,
  );
  const forks = [...chains].map(([rootId, { sides }]) => ({ rootId, heads: sides }));
  return new Map(forks.filter(({ heads }) => heads.length > 0).map((fork) => [fork.rootId, fork]));
}

/** The newest versions of the chains that were forked, and are not any more. @param ids of their sides @param after as {@link forksOf} gives them */
export async function settledSince(tx: Tx, ids: string[], after: Map<string, Fork>): Promise<Side[]> {
  // A chain may have another root since.
  const roots = new Set((await findDecisions(tx, ids)).map(({ rootId }) => rootId));
  const ended = [...roots].filter((rootId) => !after.has(rootId));
  return [...(await loadChains(tx, ended)).values()].map(({ newest }) => newest);
}
