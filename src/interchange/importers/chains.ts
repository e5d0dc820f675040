import { append } from '../../domain/append.ts';
import type { DecisionFact } from '../../domain/import/facts.ts';
import { normalizeName } from '../../domain/text/text.ts';

/**
 * Makes chains of items that replaced each other, oldest first; ties are ordered by `compare`. An item without a replacement is
 * a chain of its own. Chains are ordered by their oldest items.
 * @param pairs the newer and the older item; a circle is cut somewhere
 * @returns also the pairs across chains: an item has one successor, the first of several, and one predecessor, the last
 */
export function chainsOf<Item>(
  items: Item[],
  pairs: [newer: Item, older: Item][],
  compare: (a: Item, b: Item) => number,
): { chains: Item[][]; across: [newer: Item, older: Item][] } {
  const olders = Map.groupBy(pairs, ([newer]) => newer);
  const begun = new Set<Item>();
  const place = new Map<Item, number>();
  const waiting = items.toSorted(compare).reverse();
  for (let item = waiting.at(-1); item !== undefined; item = waiting.at(-1)) {
    const before = begun.has(item) ? [] : (olders.get(item) ?? []).map(([, older]) => older);
    begun.add(item);
    const left = before.filter((older) => !begun.has(older));
    append(waiting, left.toSorted(compare).reverse());
    if (left.length > 0) continue;
    waiting.pop();
    if (!place.has(item)) place.set(item, place.size);
  }
  const chainWith = new Map<Item, Item[]>();
  for (const item of place.keys()) {
    const ends = (olders.get(item) ?? []).filter(([, older]) => chainWith.get(older)?.at(-1) === older);
    const [, last] = ends.toSorted(([, a], [, b]) => (place.get(b) ?? 0) - (place.get(a) ?? 0))[0] ?? [];
    const chain = (last && chainWith.get(last)) ?? [];
    chain.push(item);
    chainWith.set(item, chain);
  }
  return {
    chains: [...new Set(chainWith.values())],
    across: pairs.filter(([newer, older]) => chainWith.get(newer) !== chainWith.get(older)),
  };
}

/**
 * Ends decisions that others of another topic replaced, which synthesize them.
 * @param decisions by the items that they were made of, the versions of each topic in their order
 */
export function endReplaced<Item>(
  decisions: ReadonlyMap<Item, DecisionFact>,
  pairs: [newer: Item, older: Item][],
): void {
  const last = new Map([...decisions.values()].map((fact) => [normalizeName(fact.topic), fact]));
  for (const pair of pairs) {
    const [newer, older] = pair.map((item) => decisions.get(item));
    if (!newer || !older) continue;
    const links = newer.links ?? [];
    if (!links.some(({ relationship, to }) => relationship === 'synthesizes' && to === older.key))
      newer.links = [...links, { relationship: 'synthesizes', to: older.key }];
    // Where its own topic went on, something replaces it there.
    if (last.get(normalizeName(older.topic)) === older)
      older.withdrawn ??= {
        reason: `Superseded by ${newer.key} on "${normalizeName(newer.topic)}".`,
        at: Math.max(newer.at, older.at),
      };
  }
}
