/** How many of something may happen at once, and how many more each second. */
export interface Rate {
  burst: number;
  perSecond: number;
}

/** Names that are remembered: beyond it, those that were silent longest begin anew. */
const MOST = 10_000;

/**
 * A token bucket for each name: what goes beyond the rate is refused at once.
 * @returns a function that takes one from a name's bucket: 0 when there was one, else the seconds until there is
 */
export function buckets({ burst, perSecond }: Rate, now: () => number): (name: string) => number {
  const all = new Map<string, { left: number; at: number }>();
  return (name) => {
    const at = now();
    const known = all.get(name) ?? { left: burst, at };
    // A clock that is set back must not take what was left.
    const since = Math.max(0, at - known.at) / 1000;
    const left = Math.min(burst, known.left + since * perSecond);
    all.delete(name);
    all.set(name, { left: left < 1 ? left : left - 1, at });
    if (all.size > MOST) all.delete(all.keys().next().value as string);
    return left < 1 ? Math.ceil((1 - left) / perSecond) : 0;
  };
}
