/** Any value of a configuration. */
export type Value = string | number | boolean | null | Value[] | { [key: string]: Value };
/** The keys that lead to a value, from the top of a file; a number is a place in a list. */
export type Path = readonly (string | number)[];

/** The value that a path leads to; undefined where there is none. */
export function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, key)
        ? (inner as Record<string | number, unknown>)[key]
        : undefined,
    value,
  );
}

/** Whether something is a group of keys, not a list or a date. */
export function isGroup(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** A copy in which the path leads to the value; undefined takes it away. */
export function withValue(whole: unknown, [key, ...rest]: Path, value: unknown): unknown {
  if (key === undefined) return value;
  const empty = typeof rest[0] === 'number' ? [] : {};
  const inner = rest.length > 0 ? withValue(valueAt(whole, [key]) ?? empty, rest, value) : value;
  if (Array.isArray(whole)) {
    const at = Number(key);
    return inner === undefined ? whole.toSpliced(at, 1) : whole.toSpliced(at, 1, inner);
  }
  const { [key]: _, ...others } = (whole ?? {}) as Record<string, unknown>;
  return inner === undefined ? others : { ...(whole ?? {}), [key]: inner };
}
