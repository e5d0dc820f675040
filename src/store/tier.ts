import type { Decision } from '../domain/decision.ts';
import { mergeTiers, type Tier, type TierQuery } from '../domain/tier.ts';
import { activeIn } from './decision.ts';
import type { Unit } from './unit.ts';

/** The decisions that stand in these tiers, loaded one tier after another (D-10). */
export async function decisionsIn(unit: Unit, tiers: TierQuery[]): Promise<(Decision & { tier: Tier })[]> {
  const loaded = [];
  for (const { tier, scope, strength } of tiers) {
    loaded.push({ tier, items: await activeIn(unit, scope, strength) });
  }
  return mergeTiers(loaded);
}
