import { isDeepStrictEqual } from 'node:util';
import { type Format, Unreadable } from './edit/format.ts';
import { holds, isGroup, type Path, valueAt } from './edit/value.ts';
import { type Entry, FORMATS } from './entry.ts';

/** What setup has in one file. */
export interface Ours {
  entries: Entry[];
  /** The groups and lists that were made for them: they go when nothing is left in them. */
  made: Path[];
  /** Whether the file was there before setup. */
  existed: boolean;
}

export interface Reconciled extends Omit<Ours, 'existed'> {
  /** What the file shall say; undefined when it shall be gone. */
  text: string | undefined;
  /** Stood there before setup, and say already or otherwise what was wished: they are left as they are. */
  foreign: Entry[];
  /** Were ours, and were changed by others since: they are left as they are. */
  changed: Entry[];
}

/**
 * Brings the text of a file from what setup has in it to what it shall have, and leaves all else as it is. What is there
 * already is not touched, and what is replaced keeps its place.
 * @param text undefined where there is no file
 * @throws Unreadable for a file that cannot be read, or cannot be changed safely
 */
export function reconcile(text: string | undefined, ours: Ours, wished: readonly Entry[]): Reconciled {
  const [first] = [...wished, ...ours.entries];
  if (first === undefined || first.format === 'text') return wholeFile(text, ours, wished);
  const mark = text?.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
  const file = new Draft(text?.slice(mark.length) ?? '', FORMATS[first.format], ours);
  for (const entry of wished) file.enter(entry, ours, wished);
  for (const entry of ours.entries) if (!wished.some((each) => isSamePlace(each, entry))) file.leave(entry);
  file.tidy();
  const { entries, made, foreign, changed } = file;
  const isGone = !ours.existed && entries.length === 0 && file.isBare(ours);
  return { text: isGone ? undefined : mark + file.text, entries, made, foreign, changed };
}

const BYTE_ORDER_MARK = '\uFEFF';

function wholeFile(text: string | undefined, ours: Ours, [entry]: readonly Entry[]): Reconciled {
  const [old] = ours.entries;
  const isOurs = text === undefined || text === old?.value;
  const none = { entries: [], made: [], foreign: [], changed: [] };
  if (!entry) return { ...none, text: isOurs ? undefined : text, changed: old && !isOurs ? [old] : [] };
  if (isOurs || (old && text === entry.value))
    return { ...none, text: String(entry.value), entries: [entry] };
  return { ...none, text, ...(old ? { changed: [entry] } : { foreign: [entry] }) };
}

/** Two entries that cannot both stand: one key, or the same item of a list. */
function isSamePlace(one: Entry, other: Entry): boolean {
  if (!isDeepStrictEqual(one.path, other.path)) return false;
  return !one.isItem || isDeepStrictEqual(one.value, other.value);
}

/** The text of a file while it is brought from one state to the other. */
class Draft {
  text: string;
  readonly format: Format;
  readonly entries: Entry[] = [];
  readonly foreign: Entry[] = [];
  readonly changed: Entry[] = [];
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

  enter(entry: Entry, ours: Ours, wished: readonly Entry[]): void {
    const isOurs = ours.entries.some((each) => isSamePlace(each, entry));
    const present = this.at(entry.path);
    if (entry.isItem) this.enterItem(entry, isOurs, ours, wished);
    else if (present === undefined) this.put(entry, entry.path);
    else if (isOurs) this.update(entry, present);
    else if (!entry.isFrame) this.foreign.push(entry);
  }

  /** What others added to a value of ours stays in it. */
  update(entry: Entry, present: unknown): void {
    const { value, path } = entry;
    if (isGroup(value) && isGroup(present)) {
      for (const [key, field] of Object.entries(value))
        if (!isDeepStrictEqual(present[key], field))
          this.text = this.format.put(this.text, [...path, key], field);
    } else if (!holds(present, value)) this.text = this.format.put(this.text, path, value);
    this.entries.push(entry);
  }

  enterItem(entry: Entry, isOurs: boolean, ours: Ours, wished: readonly Entry[]): void {
    const list = this.listAt(entry.path);
    if (indexOf(list, entry) >= 0) {
      (isOurs ? this.entries : this.foreign).push(entry);
      return;
    }
    const old = ours.entries.find(
      (each) =>
        each.isItem &&
        isDeepStrictEqual(each.path, entry.path) &&
        !wished.some((other) => isSamePlace(other, each)) &&
        indexOf(list, each) >= 0,
    );
    this.put(entry, [...entry.path, old ? indexOf(list, old) : list.length]);
  }

  put(entry: Entry, path: Path): void {
    for (let depth = 1; depth < path.length; depth++) {
      const group = path.slice(0, depth);
      if (this.at(group) === undefined) this.made.push(group);
    }
    this.text = this.format.put(this.text, path, entry.value);
    this.entries.push(entry);
  }

  leave(entry: Entry): void {
    if (entry.isFrame) return;
    const { path, value, isItem } = entry;
    if (isItem) {
      const at = indexOf(this.listAt(path), entry);
      if (at >= 0) this.text = this.format.take(this.text, [...path, at]);
      return;
    }
    const present = this.at(path);
    if (present === undefined) return;
    if (holds(present, value)) this.text = this.format.take(this.text, path);
    else this.changed.push(entry);
  }

  /** Takes the groups that were made and are empty now, the inner ones first. */
  tidy(): void {
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
  isBare({ entries }: Ours): boolean {
    const frames = entries.filter(({ isFrame }) => isFrame);
    const bare = frames.reduce((text, { path }) => this.format.take(text, path), this.text);
    return ['', '{}'].includes(bare.trim());
  }

  listAt(path: Path): unknown[] {
    const list = this.at(path) ?? [];
    if (!Array.isArray(list)) throw new Unreadable(`expected a list in ${path.join('.')}`);
    return list;
  }
}

const indexOf = (list: unknown[], { value }: Entry): number =>
  list.findIndex((each) => isDeepStrictEqual(each, value));
