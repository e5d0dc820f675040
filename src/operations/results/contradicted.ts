import { setImmediate } from 'node:timers/promises';
import { invalid } from '../../domain/error.ts';
import type { Meant } from '../../store/kinds/condition.ts';
import { listDecisions } from '../../store/lists/records.ts';
import type { Tx } from '../../store/tx.ts';
import { findSimilar } from './similar-decisions.ts';

/** Decisions that are compared with all others at a stretch, and at most. */
const AT_A_TIME = 10;
const MOST = 2_000;

/** What a decision is in conflict with: by id what it may contradict, and in words that and what failed. */
interface Contradiction {
  contradicts: string[];
  said: string[];
}

/**
 * With what of these decisions what binds or failed is in conflict, as a save would warn (T-6): until one of both links the
 * other, or is overridden.
 * @returns by id, without those that are in conflict with nothing
 */
export async function contradictionsOf(tx: Tx, ids: readonly string[]): Promise<Map<string, Contradiction>> {
  const found = new Map<string, Contradiction>();
  for (const [at, id] of ids.entries()) {
    // Others get their turn in between (Z-5).
    if (at % AT_A_TIME === 0) await setImmediate();
    const { contradicts, warnings } = await findSimilar(tx, id, true);
    if (warnings.length > 0)
      found.set(id, { contradicts, said: warnings.map((each) => each.replace(/^⚠️ /, '')) });
  }
  return found;
}

/** {@link contradictionsOf} those that pass a filter. @throws PrecedentError `invalid` when they are too many to be compared */
export async function contradictionsAmong(tx: Tx, filter: Meant): Promise<Map<string, Contradiction>> {
  const { rows, total } = await listDecisions(tx, filter, MOST);
  if (total > MOST)
    throw invalid.too_many(
      `is:contradicted compares each decision with all others: expected a filter that at most ${MOST} pass, found ${total}. Add scope:, since: or by:.`,
    );
  return contradictionsOf(
    tx,
    rows.map(({ id }) => id),
  );
}
