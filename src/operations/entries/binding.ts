import * as z from 'zod';
import { type Decision, GLOBAL_SCOPE } from '../../domain/decision.ts';
import { partOfTier, type Tier, tiersFor } from '../../domain/tier.ts';
import { bindingIn } from '../../store/decisions/decision.ts';
import { together } from '../../store/statements.ts';
import type { Tx } from '../../store/tx.ts';
import type { DetailOf } from '../results/details.ts';
import type { Named } from '../results/names.ts';
import { decisionEntry, type Entry, type Look } from './entry.ts';
import type { Others } from './others.ts';

/** What of `recall` did not fit. */
export const leftOutOfRecall = z.object({
  binding: z.int(),
  relevant: z.int(),
  tiers: z.string().optional().describe('The axes and locks among them, in words'),
  reasons: z
    .literal(true)
    .optional()
    .describe('The reasons of rules that share no words with the task: decision_get has them'),
});

/**
 * What did not fit (D-21).
 * @param chosen the entries that did: of files, tier by tier, then the relevant ones @param names what is given by name
 */
export function leftOut(
  ofFiles: Entry[],
  tiers: TierOfEntries[],
  relevant: Entry[],
  [named = [], ...chosen]: Entry[][],
  names: Named[],
  rest: Others | undefined,
): z.infer<typeof leftOutOfRecall> {
  const missing = tiers.map(({ entries }, index) => entries.length - (chosen[index]?.length ?? 0));
  const words = tiers.flatMap(({ tier, scope }, index) => {
    const count = missing[index] ?? 0;
    return count > 0 ? [partOfTier(count, tier, scope)] : [];
  });
  const given = new Set([...chosen.flat(), ...names, ...(rest?.words ?? [])].map(({ id }) => id));
  return {
    binding: missing.reduce((sum, count) => sum + count, 0),
    relevant: ofFiles.length - named.length + relevant.filter(({ id }) => !given.has(id)).length,
    ...(words.length > 0 && { tiers: words.join(', ') }),
    ...(chosen.flat().some((each) => 'why' in each && each.why === undefined) && { reasons: true as const }),
  };
}

/** The entries of one tier that binds, the newest first. */
interface TierOfEntries {
  tier: Tier;
  scope: string;
  entries: Entry[];
}

/** What binds a domain: what holds everywhere, a global lock as a global axis (T-5), then its own axes and locks. */
export async function bindingFor(tx: Tx, domain = GLOBAL_SCOPE): Promise<(Decision & { tier: Tier })[]> {
  const [global, own] = await together(
    bindingIn(tx, GLOBAL_SCOPE),
    domain === GLOBAL_SCOPE ? [] : bindingIn(tx, domain),
  );
  return [
    ...global.map((each) => ({ ...each, tier: 'global+axis' as const })),
    ...own.map((each) => ({ ...each, tier: `domain+${each.strength}` as const })),
  ];
}

/** The first three tiers (D-10). */
const bindingOf = (domain: string | undefined) =>
  tiersFor(domain).filter(({ tier }) => tier !== 'domain+normal');

export const BECAUSE: Record<Tier, (scope: string) => string> = {
  'global+axis': () => 'binds everything',
  'domain+axis': (scope) => `binds ${scope} (axis)`,
  'domain+lock': (scope) => `binds ${scope} (lock)`,
  'domain+normal': (scope) => `holds in ${scope}`,
};

/** Why a rule binds. One that failed is neither followed nor ignored: it is active until another replaces it. */
const becauseOf = ({ tier, outcome }: Decision & { tier: Tier }, scope: string) =>
  `${BECAUSE[tier](scope)}${outcome === 'failed' ? ' until it is replaced: it failed' : ''}`;

/** The tiers that bind and are not empty. */
export function bindingTiers(
  binding: (Decision & { tier: Tier })[],
  domain: string | undefined,
  detailOf: DetailOf,
  look: Look,
  isFound: ReadonlySet<string>,
): TierOfEntries[] {
  // Every task gets the global rules. Those that do not match it come without reasons, which were half of the answer.
  const short = (each: Entry): Entry =>
    isFound.has(each.id) || each.why === undefined ? each : { ...each, why: undefined };
  return bindingOf(domain)
    .map(({ tier, scope }) => ({
      tier,
      scope,
      entries: binding
        .filter((each) => each.tier === tier)
        .map((each) => decisionEntry(each, detailOf(each), becauseOf(each, scope), look))
        .map((each) => (tier === 'global+axis' ? short(each) : each)),
    }))
    .filter(({ entries }) => entries.length > 0);
}
