import { GLOBAL_SCOPE, type Strength } from './decision.ts';

/** The four tiers of retrieval in their fixed order (D-10). */
export const TIERS = ['global+axis', 'domain+axis', 'domain+lock', 'domain+normal'] as const;
export type Tier = (typeof TIERS)[number];

export interface TierQuery {
  tier: Tier;
  scope: string;
  strength: Strength;
}

/** The tiers to load for a domain, one after another; without a domain only the first (D-10). */
export function tiersFor(domain: string | undefined): TierQuery[] {
  const first: TierQuery = { tier: 'global+axis', scope: GLOBAL_SCOPE, strength: 'axis' };
  if (domain === undefined) return [first];
  return [
    first,
    { tier: 'domain+axis', scope: domain, strength: 'axis' },
    { tier: 'domain+lock', scope: domain, strength: 'lock' },
    { tier: 'domain+normal', scope: domain, strength: 'normal' },
  ];
}

/**
 * How many of each tier a limit lets through (D-21): no tier is crowded out by those before it. Each that has any gets a
 * quarter of the limit, at least one from the first on; what is left goes to the tiers in their order.
 * @param sizes how many each tier has
 */
export function sharesOf(limit: number, sizes: number[]): number[] {
  const quarter = Math.max(1, Math.floor(limit / 4));
  let left = limit;
  const take = (most: number) => {
    const taken = Math.min(most, left);
    left -= taken;
    return taken;
  };
  const shares = sizes.map((size) => take(Math.min(size, quarter)));
  return shares.map((share, tier) => share + take((sizes[tier] ?? 0) - share));
}

/** Some decisions of a tier in words: "3 of the locks of auth". */
export function partOfTier(count: number, tier: Tier, scope: string): string {
  return `${count} ${PLURALS[tier](scope)}`;
}

const PLURALS: Record<Tier, (scope: string) => string> = {
  'global+axis': () => 'of the global axes and locks',
  'domain+axis': (scope) => `of the axes of ${scope}`,
  'domain+lock': (scope) => `of the locks of ${scope}`,
  'domain+normal': (scope) => `of the normal decisions of ${scope}`,
};
