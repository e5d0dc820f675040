import type { AdrRecord } from './record.ts';

/** The same for both directions. */
export const pairOf = (one: AdrRecord, other: AdrRecord): string => [one.file, other.file].sort().join(' ');

export function isDatedBefore(one: AdrRecord, other: AdrRecord): boolean {
  const [before, after] = [one, other].map(({ own, date, committed }) => own?.at ?? date ?? committed);
  return before !== undefined && after !== undefined && before < after;
}

/**
 * A record and one that it names, the later one first: records are edited, so that an earlier one may name a later one.
 * Undefined where its date makes it the earlier one, and its number does not.
 */
export function inOrder(by: AdrRecord, other: AdrRecord): [later: AdrRecord, earlier: AdrRecord] | undefined {
  if (isDatedBefore(other, by)) return [by, other];
  if (by.number < other.number) return [other, by];
  return isDatedBefore(by, other) ? undefined : [by, other];
}
