/** A group of items to pack, the most important first, and its share of the room while other groups wait. */
export interface Packable<T> {
  items: T[];
  /** 0..1. */
  share: number;
  /** Its first item is taken even when it is larger than the share. */
  first?: boolean;
}

/**
 * Chooses the items that fit. Each group in turn fills its share, then the groups fill the rest of the room, in their
 * order. Too large an item is passed over: smaller ones after it may still fit.
 * @param room in the unit of `cost`
 * @param cost more than nothing; asked at most once of an item
 * @returns the chosen items of each group, in its order; together never more than the room
 */
export function pack<T>(groups: Packable<T>[], room: number, cost: (item: T) => number): T[][] {
  const chosen = groups.map(() => new Set<T>());
  const costs = new Map<T, number>();
  let left = room;
  const priceOf = (item: T) => {
    const price = costs.get(item) ?? cost(item);
    costs.set(item, price);
    return price;
  };
  const take = (index: number, allowance: number) => {
    let allowed = Math.min(allowance, left);
    for (const item of groups[index]?.items ?? []) {
      if (allowed <= 0) return;
      if (chosen[index]?.has(item)) continue;
      const price = priceOf(item);
      if (price > allowed) continue;
      chosen[index]?.add(item);
      allowed -= price;
      left -= price;
    }
  };
  for (const [index, { items, share, first }] of groups.entries()) {
    const [most] = first ? items : [];
    take(index, most === undefined ? room * share : Math.max(room * share, priceOf(most)));
  }
  for (const index of groups.keys()) take(index, left);
  return groups.map(({ items }, index) => items.filter((item) => chosen[index]?.has(item)));
}
