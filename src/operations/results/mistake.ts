import { wasMistake } from '../../domain/decision.ts';
import { isRetracted } from '../../store/record.ts';
import type { Tx } from '../../store/tx.ts';

/**
 * The warnings of a write that hangs something on a decision, or says something of it: it is kept, but as long as the
 * decision was undone nobody finds it (K-6).
 * @param others what is warned of besides
 */
export async function warnedOfMistake(
  tx: Tx,
  id: string,
  others: string[] = [],
): Promise<{ warnings?: string[] }> {
  const warning = `${wasMistake(id)}: no search finds it or what belongs to it. Save the decision again if it holds after all.`;
  const warnings = (await isRetracted(tx, 'decisions', id)) ? [...others, warning] : others;
  return warnings.length === 0 ? {} : { warnings };
}
