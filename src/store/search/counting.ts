import type { Frequencies } from '../../domain/ranking/similarity.ts';
import { COMMON } from '../../domain/ranking/weights.ts';
import type { Tx } from '../tx.ts';

/** How many documents have each of these terms, up to `COMMON`. */
export type Counting = (terms: string[]) => Promise<Frequencies>;

/** Counts each term once, however many ask for it: for the questions of one answer, which read the same snapshot. */
export function counting(tx: Tx): Counting {
  const asked = new Map<string, Promise<Frequencies>>();
  return async (terms) => {
    const fresh = terms.filter((term) => !asked.has(term));
    if (fresh.length > 0) {
      const counted = tx.text.frequencies(tx.db, fresh, COMMON);
      for (const term of fresh) asked.set(term, counted);
    }
    const found = await Promise.all(new Set(terms.flatMap((term) => asked.get(term) ?? [])));
    return { documents: found[0]?.documents ?? 0, of: new Map(found.flatMap(({ of }) => [...of])) };
  };
}
