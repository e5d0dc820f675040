/** A group of things to pack, the most important first, and the share of the room it may take while others wait. */
export interface Packable<T> {
  items: T[];
  /** 0..1. */
  share: number;
}

/**
 * Chooses what fits: the first thing of all, then each group in turn what fits its share, then what is left of the room
 * goes to the groups once more, in their order. What is too large is passed over, and smaller things behind it may
 * still fit.
 * @param room in the unit of `cost`
 * @returns what was chosen of each group, in its order; never more than the room
 */
export function pack<T>(groups: Packable<T>[], room: number, cost: (item: T) => number): T[][] {
  const chosen = groups.map(() => new Set<T>());
  let left = room;
  const take = (index: number, allowance: number) => {
    let allowed = Math.min(allowance, left);
    for (const item of groups[index]?.items ?? []) {
      const price = cost(item);
      if (chosen[index]?.has(item) || price > allowed) continue;
      chosen[index]?.add(item);
      allowed -= price;
      left -= price;
    }
  };
  for (const [index, { share }] of groups.entries()) {
    const [first] = index === 0 ? (groups[0]?.items ?? []) : [];
    // The most important thing may be larger than its group's share.
    take(index, first === undefined ? room * share : Math.max(room * share, cost(first)));
  }
  for (const index of groups.keys()) take(index, left);
  return groups.map(({ items }, index) => items.filter((item) => chosen[index]?.has(item)));
}
