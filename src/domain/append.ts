/**
 * Adds to the end of a list what another one holds, however long it is. `list.push(...more)` overflows the stack with about
 * 120,000 of them, since each becomes an argument (Z-6).
 */
export function append<T>(list: T[], more: Iterable<T>): void {
  for (const each of more) list.push(each);
}
