import { isDeepStrictEqual } from 'node:util';
import { type Format, Unreadable } from './edit/format.ts';
import { isGroup, type Path, type Value, valueAt } from './edit/value.ts';
import type { Changed, Entry, Ours } from './entry.ts';

/** The text of a file while it is brought from one state to the other. */
export class SettingsEditor {
  text: string;
  readonly format: Format;
  readonly entries: Entry[] = [];
  readonly userEntries: Entry[] = [];
  readonly changed: Changed[] = [];
  readonly forbidden: Entry[] = [];
  readonly removedWithOurs: Changed[] = [];
  /** Items of ours that were replaced by another form of them. */
  readonly replaced: Entry[] = [];
  made: Path[];

  constructor(text: string, format: Format, { made }: Ours) {
    this.text = text;
    this.format = format;
    this.made = [...made];
  }

  value(): Record<string, unknown> {
    return this.format.read(this.text);
  }

  at(path: Path): unknown {
    return valueAt(this.value(), path);
  }

  enter(entry: Entry, ours: Ours, requested: readonly Entry[]): void {
    const old = ours.entries.find((each) => isSamePlace(each, entry));
    const present = this.at(entry.path);
    if (entry.isItem) this.enterItem(entry, old !== undefined, ours, requested);
    else if (present === undefined) this.put(entry, entry.path);
    else if (entry.describesOtherEntry) this.update(entry, present, { ...entry, value: present as Value });
    else if (old) this.update(entry, present, old);
    else if (!entry.isFileHeader) this.userEntries.push(entry);
  }

  /**
   * Each key is brought from what setup wrote to what it writes now. One that others have changed since stays as they
   * want it, and is recorded as setup wrote it: so the next run sees the change too.
   */
  update(entry: Entry, present: unknown, old: Entry): void {
    const { path, value } = entry;
    if (!isGroup(value) || !isGroup(present) || !isGroup(old.value)) {
      const isThere = isDeepStrictEqual(present, value);
      const isChanged = !isThere && !isDeepStrictEqual(present, old.value);
      if (isChanged) this.reportConflict(old);
      else if (!isThere) this.text = this.format.put(this.text, path, value);
      this.entries.push(isChanged ? old : entry);
      return;
    }
    const written = { ...old.value };
    for (const key of new Set([...Object.keys(value), ...Object.keys(written)])) {
      const field = value[key];
      const isThere = isDeepStrictEqual(present[key], field);
      if (!isThere && !isDeepStrictEqual(present[key], old.value[key])) {
        this.reportConflict(entry, key);
        continue;
      }
      const at = [...path, key];
      if (!isThere)
        this.text =
          field === undefined ? this.format.take(this.text, at) : this.format.put(this.text, at, field);
      if (field === undefined) delete written[key];
      else written[key] = field;
    }
    this.entries.push({ ...entry, value: written });
  }

  enterItem(entry: Entry, isOurs: boolean, ours: Ours, requested: readonly Entry[]): void {
    const list = this.listAt(entry.path);
    if (indexOf(list, entry) >= 0) {
      (isOurs ? this.entries : this.userEntries).push(entry);
      return;
    }
    if (isOurs) {
      this.reportConflict(entry, ...nameOf(entry));
      this.entries.push(entry);
      return;
    }
    if (this.isForbidden(entry)) {
      this.forbidden.push(entry);
      return;
    }
    const stale = ours.entries.filter(
      (each) =>
        each.isItem &&
        isDeepStrictEqual(each.path, entry.path) &&
        !requested.some((other) => isSamePlace(other, each)),
    );
    const old = stale.find((each) => indexOf(list, each) >= 0);
    const [lost] = stale;
    if (!old && lost && isGroup(entry.value)) {
      // Another form of an item that others changed or took away; a name is an item of its own.
      this.reportConflict(lost);
      this.entries.push(lost);
      return;
    }
    this.put(entry, [...entry.path, old ? indexOf(list, old) : list.length]);
    if (old) this.replaced.push(old);
  }

  isForbidden({ unless }: Entry): boolean {
    const list = unless && this.at(unless.path);
    return Array.isArray(list) && list.some((each) => unless?.holds.includes(each));
  }

  /** Notes that others changed an entry, once for each path. */
  reportConflict({ part, path, isFileHeader }: Entry, ...names: string[]): void {
    if (isFileHeader) return;
    const known = this.changed.find((each) => isDeepStrictEqual(each.path, path));
    if (known) known.names.push(...names);
    else this.changed.push({ part, path, names });
  }

  put(entry: Entry, path: Path): void {
    for (let depth = 1; depth < path.length; depth++) {
      const group = path.slice(0, depth);
      if (this.at(group) === undefined) this.made.push(group);
    }
    this.text = this.format.put(this.text, path, entry.value);
    this.entries.push(entry);
  }

  remove(entry: Entry): void {
    if (entry.isFileHeader || this.replaced.includes(entry)) return;
    const { path, value, isItem, describesOtherEntry, agentWrittenKeys = [] } = entry;
    if (isItem) {
      const at = indexOf(this.listAt(path), entry);
      if (at >= 0) this.text = this.format.take(this.text, [...path, at]);
      else if (isGroup(value) && this.listAt(path).length > 0) this.reportConflict(entry);
      return;
    }
    const present = this.at(path);
    if (present === undefined) return;
    const added = keysThatDiffer(present, value).filter((key) => agentWrittenKeys.includes(key));
    if (isDeepStrictEqual(without(present, added), value)) {
      this.text = this.format.take(this.text, path);
      if (added.length > 0) this.removedWithOurs.push({ part: entry.part, path, names: added });
      return;
    }
    if (describesOtherEntry) return;
    this.reportConflict(entry, ...keysThatDiffer(present, value));
    this.entries.push(entry);
  }

  /** Takes the groups that were made and are empty now, the inner ones first. */
  removeEmptyGroups(): void {
    const kept = new Set<Path>();
    for (const path of this.made.toSorted((one, other) => other.length - one.length)) {
      const group = this.at(path);
      if (group === undefined) continue;
      const isEmpty = typeof group === 'object' && group !== null && Object.keys(group).length === 0;
      if (isEmpty) this.text = this.format.take(this.text, path);
      else kept.add(path);
    }
    this.made = this.made.filter((path) => kept.has(path));
  }

  /** Whether the file says nothing, not even in a comment. */
  isEmpty({ entries }: Ours): boolean {
    const frames = entries.filter(({ isFileHeader }) => isFileHeader);
    const rest = frames.reduce((text, { path }) => this.format.take(text, path), this.text);
    return ['', '{}'].includes(rest.trim());
  }

  listAt(path: Path): unknown[] {
    const list = this.at(path) ?? [];
    if (!Array.isArray(list)) throw new Unreadable(`expected a list in ${path.join('.')}`);
    return list;
  }
}

/** The keys that two groups do not have alike; none where one of them is not a group. */
function keysThatDiffer(one: unknown, other: unknown): string[] {
  if (!isGroup(one) || !isGroup(other)) return [];
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...keys].filter((key) => !isDeepStrictEqual(one[key], other[key]));
}

function without(value: unknown, keys: readonly string[]): unknown {
  if (!isGroup(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key)));
}

const nameOf = ({ value }: Entry): string[] => (typeof value === 'string' ? [value] : []);
const indexOf = (list: unknown[], { value }: Entry): number =>
  list.findIndex((each) => isDeepStrictEqual(each, value));

/** Two entries that exclude each other: one key, or the same item of a list. */
export function isSamePlace(one: Entry, other: Entry): boolean {
  if (!isDeepStrictEqual(one.path, other.path)) return false;
  return !one.isItem || isDeepStrictEqual(one.value, other.value);
}
