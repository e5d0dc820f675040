import { append } from '../../domain/append.ts';
/**
 * Groups items that replaced each other into chains, oldest first; ties are ordered by `compare`. An item without a
 * replacement is a chain of its own. Chains are ordered by their oldest items.
 * @param pairs the newer and the older item; a circle is cut at its first item
 */
export function chainsOf<Item>(
  items: Item[],
  pairs: [newer: Item, older: Item][],
  compare: (a: Item, b: Item) => number,
): Item[][] {
  const chains = new Map(items.map((item) => [item, [item]]));
  for (const [newer, older] of pairs) {
    const [one, other] = [chains.get(newer), chains.get(older)];
    if (!one || !other || one === other) continue;
    append(one, other);
    for (const item of other) chains.set(item, one);
  }
  const olders = Map.groupBy(pairs, ([newer]) => newer);
  const inOrder = (chain: Item[]): Item[] => {
    const waiting = new Set(chain.toSorted(compare));
    const isFree = (item: Item) =>
      !olders.get(item)?.some(([, older]) => older !== item && waiting.has(older));
    return chain.map(() => {
      const next = [...waiting].find(isFree) ?? [...waiting][0];
      waiting.delete(next as Item);
      return next as Item;
    });
  };
  return [...new Set(items.toSorted(compare).map((item) => chains.get(item) as Item[]))].map(inOrder);
}
