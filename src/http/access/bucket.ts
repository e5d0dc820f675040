/** A rate limit: how many at once, and how many more each second. */
export interface Rate {
  burst: number;
  perSecond: number;
}

/** Names that are remembered. Beyond it, the least recently used ones start again. */
const MOST = 10_000;

/**
 * A token bucket for each name.
 * @returns a function that takes so many from a name's bucket, by default one. It returns 0 if they were there, else the
 *   seconds until they are, and takes nothing
 */
export function buckets(
  { burst, perSecond }: Rate,
  now: () => number,
): (name: string, many?: number) => number {
  const all = new Map<string, { left: number; at: number }>();
  return (name, many = 1) => {
    const at = now();
    const known = all.get(name) ?? { left: burst, at };
    // If the clock is set back, the bucket keeps its content.
    const since = Math.max(0, at - known.at) / 1000;
    const left = Math.min(burst, known.left + since * perSecond);
    all.delete(name);
    all.set(name, { left: left < many ? left : left - many, at });
    if (all.size > MOST) all.delete(all.keys().next().value as string);
    return left < many ? Math.ceil((many - left) / perSecond) : 0;
  };
}
