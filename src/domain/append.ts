/**
 * Adds to the end of a list what another one holds, however long it is. `list.push(...more)` overflows the stack with about
 * 120,000 of them, since each becomes an argument, and `[...list, ...more]` copies the list each time (Z-6).
 * @returns the list
 */
export function append<T>(list: T[], more: Iterable<T>): T[] {
  for (const each of more) list.push(each);
  return list;
}
