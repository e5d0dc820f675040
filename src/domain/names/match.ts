import { append } from '../append.ts';
import type { Names } from './against.ts';
import type { Key } from './keys.ts';

/** The records that are against a name, by its key. */
export type AgainstIndex = ReadonlyMap<Key, readonly string[]>;

/** A record with its names. */
interface Named extends Names {
  id: string;
  /** Whether an agent saved it, it binds nobody, and no person has looked at it: it silences only others of its kind. */
  isUnreviewed?: boolean;
}

/**
 * The records by the names that they are against, without the names that any active decision uses (RE-6): Terraform is named
 * daily where it is used, whatever one record says against it.
 * @param records active decisions, and those that failed, with what `namesOf` finds in them
 */
export function againstIndex(records: readonly Named[]): AgainstIndex {
  const usedBy = (those: readonly Named[]) => new Set(those.flatMap(({ uses }) => uses));
  const [used, settled] = [usedBy(records), usedBy(records.filter((each) => !each.isUnreviewed))];
  const index = new Map<Key, string[]>();
  for (const { id, against, isUnreviewed } of records)
    for (const key of against)
      if (!(isUnreviewed ? used : settled).has(key)) index.set(key, append(index.get(key) ?? [], [id]));
  return index;
}

/** A record that is against something, with the names of it. */
export interface Opposed {
  id: string;
  names: Key[];
}

/** The records that are against any of these names, in the order of the names. */
export function recordsAgainst(index: AgainstIndex, keys: Iterable<Key>): Opposed[] {
  const found = new Map<string, Key[]>();
  for (const key of keys)
    for (const id of index.get(key) ?? []) found.set(id, [...(found.get(id) ?? []), key]);
  return [...found].map(([id, names]) => ({ id, names }));
}
