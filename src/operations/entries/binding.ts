import type { Decision } from '../../domain/decision.ts';
import { type Tier, tiersFor } from '../../domain/tier.ts';
import { activeIn } from '../../store/decisions/decision.ts';
import { decisionsIn } from '../../store/decisions/tier.ts';
import { together } from '../../store/statements.ts';
import type { Tx } from '../../store/tx.ts';
import type { DetailOf } from '../results/details.ts';
import { decisionEntry, type Entry } from './entry.ts';
import { type Look, shownAnchors } from './found.ts';

/** The entries of one tier that binds, the newest first. */
export interface TierOfEntries {
  tier: Tier;
  scope: string;
  entries: Entry[];
}

/** What holds in a domain: the decisions of its tiers, and the normal ones, the newest first. */
export interface Holding {
  binding: (Decision & { tier: Tier })[];
  normals: Decision[];
}

/** Reads the first three tiers (D-10), and the normal decisions (W-4). @param limit how many of these at most */
export async function holdingIn(tx: Tx, domain: string | undefined, limit: number): Promise<Holding> {
  const [binding, normals] = await together(
    decisionsIn(tx, bindingOf(domain)),
    domain === undefined ? [] : activeIn(tx, domain, 'normal', limit),
  );
  return { binding, normals };
}

const bindingOf = (domain: string | undefined) =>
  tiersFor(domain).filter(({ tier }) => tier !== 'domain+normal');

const BECAUSE: Record<Tier, (scope: string) => string> = {
  'global+axis': () => 'binds everything',
  'domain+axis': (scope) => `binds ${scope} (axis)`,
  'domain+lock': (scope) => `binds ${scope} (lock)`,
  'domain+normal': (scope) => `holds in ${scope}`,
};

/** The tiers that bind, without those that are empty. */
export function bindingTiers(
  { binding }: Holding,
  domain: string | undefined,
  detailOf: DetailOf,
  look: Look,
): TierOfEntries[] {
  return bindingOf(domain)
    .map(({ tier, scope }) => ({
      tier,
      scope,
      entries: binding
        .filter((each) => each.tier === tier)
        .map((each) => entryOf(each, detailOf, BECAUSE[tier](scope), look)),
    }))
    .filter(({ entries }) => entries.length > 0);
}

/** The entries of the normal decisions. */
export function normalEntries(
  { normals }: Holding,
  domain: string | undefined,
  detailOf: DetailOf,
  look: Look,
): Entry[] {
  const because = BECAUSE['domain+normal'](domain ?? '');
  return normals.map((each) => entryOf(each, detailOf, because, look));
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

function entryOf(decision: Decision, detailOf: DetailOf, because: string, look: Look): Entry {
  const details = detailOf(decision);
  return decisionEntry(decision, details, because, shownAnchors(details.anchors, look), look.shown);
}
