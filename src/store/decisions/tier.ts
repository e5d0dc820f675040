import type { Decision } from '../../domain/decision.ts';
import { mergeTiers, type Tier, type TierQuery } from '../../domain/tier.ts';
import type { Tx } from '../tx.ts';
import { activeIn } from './decision.ts';

/** The active decisions of these tiers, loaded one tier after another (D-10). */
export async function decisionsIn(tx: Tx, tiers: TierQuery[]): Promise<(Decision & { tier: Tier })[]> {
  const loaded = [];
  for (const { tier, scope, strength } of tiers) {
    loaded.push({ tier, items: await activeIn(tx, scope, strength) });
  }
  return mergeTiers(loaded);
}
