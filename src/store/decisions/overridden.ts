import { reachOf, type Version } from '../../domain/chain.ts';
import type { Decision } from '../../domain/decision.ts';
import { readMeta, writeMeta } from '../meta.ts';
import { query } from '../statements.ts';
import type { Tx } from '../tx.ts';
import { findDecisions } from './decision.ts';
import { loadChains } from './loaded.ts';

/** The meta entry of what binds no longer since another machine was heard: ids of the replaced and of what came. */
const KEPT = 'overridden';

/** An axis or a lock that another machine replaced, while both are as they were then. */
export interface Overridden {
  was: Decision;
  by: Version;
}

/** Whether a version binds at least as much as another one. */
const bindsAs = (by: Decision, was: Decision) => reachOf(by) >= reachOf(was);
/** Whether what a version says binds on: only its reason is another. */
const isSame = (was: Decision, by: Decision) => by.text === was.text && bindsAs(by, was);

/** The axes and locks that are active: what others may override. */
export async function bindingIds(tx: Tx): Promise<string[]> {
  const rows = await query<{ id: string }>(tx)`select id from decisions
    where is_active = 1 and strength <> 'normal' order by id`;
  return rows.map(({ id }) => id);
}

/**
 * Remembers which of these bind no longer, so that none is overridden in silence (D-20, Y-9).
 * @param before active axes and locks, as {@link bindingIds} gave them @param forked roots that are reported as decided twice
 * @param settled versions that are reported as settling a decision: overridden ones that bound no more are not reported
 * @returns those that were overridden just now
 */
export async function keepOverridden(
  tx: Tx,
  before: string[],
  forked: ReadonlyMap<string, unknown>,
  settled: Decision[],
): Promise<Overridden[]> {
  const now = new Set(await bindingIds(tx));
  const ended = before.filter((id) => !now.has(id));
  const gone = await findDecisions(tx, ended);
  const roots = gone.map(({ rootId }) => rootId).filter((rootId) => !forked.has(rootId));
  const chains = await loadChains(tx, roots);
  const known = new Set(settled.map(({ id }) => id));
  const pairs = gone.flatMap((was) => {
    const by = chains.get(was.rootId)?.newest;
    const isKnown = !by || by.id === was.id || (known.has(by.id) && bindsAs(by, was));
    return isKnown || isSame(was, by) ? [] : [[was.id, by.id] as const];
  });
  if (pairs.length === 0) return [];
  const kept = (await readOverridden(tx)).map(({ was, by }) => [was.id, by.id] as const);
  await writeMeta(tx, KEPT, JSON.stringify([...kept, ...pairs]));
  const ids = new Set(pairs.map(([was]) => was));
  return (await readOverridden(tx)).filter(({ was }) => ids.has(was.id));
}

/** Overrides that wait for a person: until somebody decides again what took the place of an axis or a lock. */
export async function readOverridden(tx: Tx): Promise<Overridden[]> {
  const pairs: [string, string][] = JSON.parse((await readMeta(tx, KEPT)) || '[]');
  const found = await findDecisions(tx, pairs.flat());
  const all = new Map(found.map((decision) => [decision.id, decision]));
  const waiting: Overridden[] = [];
  const chains = await loadChains(tx, [...new Set(found.map(({ rootId }) => rootId))]);
  for (const [wasId, byId] of pairs) {
    const was = all.get(wasId);
    const by = chains.get(all.get(byId)?.rootId ?? '')?.newest;
    if (was && by?.id === byId && !isSame(was, by)) waiting.push({ was, by });
  }
  return waiting;
}
