import { append } from '../../domain/append.ts';
import type { DecisionFact } from '../../domain/import/facts.ts';
import { normalizeName } from '../../domain/text/text.ts';

/**
 * Groups items that replaced each other into chains, oldest first; ties are ordered by `compare`. An item without a
 * replacement is a chain of its own. Chains are ordered by their oldest items.
 * @param pairs the newer and the older item; a circle is cut at its first item
 * @returns also the pairs across chains: an item has one successor, the first of several, and one predecessor, the last
 */
export function chainsOf<Item>(
  items: Item[],
  pairs: [newer: Item, older: Item][],
  compare: (a: Item, b: Item) => number,
): { chains: Item[][]; across: [newer: Item, older: Item][] } {
  const groups = new Map(items.map((item) => [item, [item]]));
  for (const [newer, older] of pairs) {
    const [one, other] = [groups.get(newer), groups.get(older)];
    if (!one || !other || one === other) continue;
    append(one, other);
    for (const item of other) groups.set(item, one);
  }
  const olders = Map.groupBy(pairs, ([newer]) => newer);
  const inOrder = (group: Item[]): Item[] => {
    const waiting = new Set(group.toSorted(compare));
    const isFree = (item: Item) =>
      !olders.get(item)?.some(([, older]) => older !== item && waiting.has(older));
    return group.map(() => {
      const next = [...waiting].find(isFree) ?? [...waiting][0];
      waiting.delete(next as Item);
      return next as Item;
    });
  };
  const inGroups = new Set(items.toSorted(compare).map((item) => groups.get(item) as Item[]));
  const ordered = [...inGroups].flatMap(inOrder);
  const place = new Map(ordered.map((item, index) => [item, index]));
  const chainWith = new Map<Item, Item[]>();
  for (const item of ordered) {
    const ends = (olders.get(item) ?? []).filter(([, older]) => chainWith.get(older)?.at(-1) === older);
    const [, before] = ends.toSorted(([, a], [, b]) => (place.get(b) ?? 0) - (place.get(a) ?? 0))[0] ?? [];
    const chain = (before && chainWith.get(before)) ?? [];
    chain.push(item);
    chainWith.set(item, chain);
  }
  return {
    chains: [...new Set(chainWith.values())],
    across: pairs.filter(([newer, older]) => chainWith.get(newer) !== chainWith.get(older)),
  };
}

/** Ends decisions that others of another topic replaced, which synthesize them. @param pairs by key, the newer and the older one */
export function endReplaced(decisions: DecisionFact[], pairs: [newer: string, older: string][]): void {
  const byKey = new Map(decisions.map((fact) => [fact.key, fact]));
  const last = new Map(decisions.map((fact) => [normalizeName(fact.topic), fact]));
  for (const [newerKey, olderKey] of pairs) {
    const [newer, older] = [byKey.get(newerKey), byKey.get(olderKey)];
    if (!newer || !older) continue;
    const links = newer.links ?? [];
    if (!links.some(({ relationship, to }) => relationship === 'synthesizes' && to === olderKey))
      newer.links = [...links, { relationship: 'synthesizes', to: olderKey }];
    // Where its own topic went on, something replaces it there.
    if (last.get(normalizeName(older.topic)) === older)
      older.withdrawn ??= {
        reason: `Superseded by ${newerKey} on "${normalizeName(newer.topic)}".`,
        at: Math.max(newer.at, older.at),
      };
  }
}
