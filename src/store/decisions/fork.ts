import { sql } from 'kysely';
import type { Side } from '../../domain/chain.ts';
import { type Chain, reachOf } from '../../domain/chain.ts';
import type { Decision } from '../../domain/decision.ts';
import { compareText } from '../../domain/text/text.ts';
import type { Tx } from '../tx.ts';
import { findDecisions } from './decision.ts';
import { loadChains, withSeveralHeads } from './loaded.ts';

/** The chains that have several heads, by their roots. @param rootIds only these; default: all */
function withHeads(tx: Tx, rootIds?: string[]): Promise<Map<string, Chain>> {
  const roots = withSeveralHeads(rootIds && sql`(${tx.lists.texts(rootIds)})`);
  return loadChains(tx, sql`select distinct found.root_id as id from (${roots}) as found`);
}

/** The active versions that are one side of what was decided twice, with another side in one of these scopes. */
export async function withSideIn(tx: Tx, ...scopes: string[]): Promise<Decision[]> {
  const found = [...(await withHeads(tx)).values()].flatMap(({ active, heads }) =>
    active && heads.some((each) => each.id !== active.id && !each.withdrawn && scopes.includes(each.scope))
      ? active
      : [],
  );
  return found.sort((a, b) => b.createdAt - a.createdAt || compareText(b.id, a.id));
}

/** The active axes and locks elsewhere that were decided twice, with another side in one of these scopes: both bind (T-6). */
export const bindingTwice = async (tx: Tx, ...scopes: string[]): Promise<Decision[]> =>
  (await withSideIn(tx, ...scopes)).filter((each) => reachOf(each) > 0 && !scopes.includes(each.scope));

/**
 * The chains in which two machines decided differently and nobody settled it yet (Y-2), by their roots.
 * @param rootIds only these; default: all
 */
export async function forksOf(tx: Tx, rootIds?: string[]): Promise<Map<string, Chain>> {
  return new Map([...(await withHeads(tx, rootIds))].filter(([, { sides }]) => sides.length > 0));
}

/** The newest versions of the chains that were forked, and are not any more. @param ids of their sides @param after as {@link forksOf} gives them */
export async function settledSince(tx: Tx, ids: string[], after: Map<string, Chain>): Promise<Side[]> {
  // A chain may have another root since.
  const roots = new Set((await findDecisions(tx, ids)).map(({ rootId }) => rootId));
  const ended = [...roots].filter((rootId) => !after.has(rootId));
  return [...(await loadChains(tx, ended)).values()].map(({ newest }) => newest);
}
