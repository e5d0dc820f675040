import type { Decision } from '../../domain/decision.ts';
import { type Tier, tiersFor } from '../../domain/tier.ts';
import { activeIn } from '../../store/decisions/decision.ts';
import { decisionsIn } from '../../store/decisions/tier.ts';
import type { Tx } from '../../store/tx.ts';
import { detailsOf } from '../results/details.ts';
import { decisionEntry, type Entry } from './entry.ts';
import { type Look, shownAnchors } from './found.ts';

/** The entries of one tier that binds, the newest first. */
export interface TierOfEntries {
  tier: Tier;
  scope: string;
  entries: Entry[];
}

const BECAUSE: Record<Tier, (scope: string) => string> = {
  'global+axis': () => 'binds everything',
  'domain+axis': (scope) => `binds ${scope} (axis)`,
  'domain+lock': (scope) => `binds ${scope} (lock)`,
  'domain+normal': (scope) => `holds in ${scope}`,
};

/** The first three tiers (D-10), without those that are empty. */
export async function bindingTiers(tx: Tx, domain: string | undefined, look: Look): Promise<TierOfEntries[]> {
  const wanted = tiersFor(domain).filter(({ tier }) => tier !== 'domain+normal');
  const decisions = await decisionsIn(tx, wanted);
  const entryOf = await entriesOf(tx, decisions, look);
  return wanted
    .map(({ tier, scope }) => ({
      tier,
      scope,
      entries: decisions
        .filter((each) => each.tier === tier)
        .map((each) => entryOf(each, BECAUSE[tier](scope))),
    }))
    .filter(({ entries }) => entries.length > 0);
}

/** The normal decisions of a domain, the newest first (W-4). @param limit how many at most */
export async function normalsOf(
  tx: Tx,
  domain: string | undefined,
  limit: number,
  look: Look,
): Promise<Entry[]> {
  if (domain === undefined) return [];
  const decisions = await activeIn(tx, domain, 'normal', limit);
  const entryOf = await entriesOf(tx, decisions, look);
  return decisions.map((each) => entryOf(each, BECAUSE['domain+normal'](domain)));
}

/**
 * What was found and what holds in the domain, by turns. Of the domain's decisions those that were found come first, in
 * the order of finding; they are also what the answer begins with.
 */
export function mixed(found: Entry[], normals: Entry[]): Entry[] {
  const inDomain = new Set(normals.map(({ id }) => id));
  const both = found.filter(({ id }) => inDomain.has(id));
  const isFound = new Set(both.map(({ id }) => id));
  const own = [...both, ...normals.filter(({ id }) => !isFound.has(id))];
  const others = found.filter(({ id }) => !inDomain.has(id));
  const [one, two] = both.length > 0 ? [own, others] : [others, own];
  return Array.from({ length: Math.max(one.length, two.length) }).flatMap((_, index) =>
    [one[index], two[index]].filter((each) => each !== undefined),
  );
}

async function entriesOf(tx: Tx, decisions: Decision[], look: Look) {
  const detailOf = await detailsOf(tx, decisions);
  return (decision: Decision, because: string) => {
    const details = detailOf(decision);
    return decisionEntry(decision, details, because, shownAnchors(details.anchors, look), look.shown);
  };
}
