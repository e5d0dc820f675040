import type { Decision } from '../../domain/decision.ts';
import { mergeTiers, type Tier, type TierQuery } from '../../domain/tier.ts';
import { together } from '../statements.ts';
import type { Tx } from '../tx.ts';
import { activeIn } from './decision.ts';

/** The active decisions of these tiers, one tier after another (D-10). */
export async function decisionsIn(tx: Tx, tiers: TierQuery[]): Promise<(Decision & { tier: Tier })[]> {
  const loaded = await together(...tiers.map(({ scope, strength }) => activeIn(tx, scope, strength)));
  return mergeTiers(tiers.map(({ tier }, at) => ({ tier, items: loaded[at] ?? [] })));
}
