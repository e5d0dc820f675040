import { compareText } from '../../domain/text/text.ts';
import { countActive } from '../../store/decisions/decision.ts';
import type { Tx } from '../../store/tx.ts';

/** Scopes named at most. */
const SCOPES_NAMED = 10;

/** When this scope has no decisions: the scopes that have, the largest first. */
export async function scopesWithout(tx: Tx, domain: string): Promise<string[]> {
  const sizes = new Map<string, number>();
  for (const { scope, count } of await countActive(tx)) sizes.set(scope, (sizes.get(scope) ?? 0) + count);
  if (sizes.has(domain)) return [];
  return [...sizes.keys()]
    .sort((a, b) => (sizes.get(b) ?? 0) - (sizes.get(a) ?? 0) || compareText(a, b))
    .slice(0, SCOPES_NAMED);
}
