import { isDeepStrictEqual } from 'node:util';
import { type Entry, FORMATS, type Ours } from '../entry.ts';
import { type End, type Format, Unreadable } from './format.ts';
import { isGroup, type Path, type Value, valueAt } from './value.ts';

/** The result for one file. */
export interface Edited {
  /** Undefined when the file should be removed. */
  text: string | undefined;
  ours: Ours;
  /** The changes of ours, a line each. Nothing that others have in the file is shown: it may be secret. */
  lines: string[];
  /** Notes for the person. */
  notes: string[];
}

/**
 * Brings settings from what setup has in them to what it should have, and leaves all else as it is. An entry is found by
 * its key, a hook by what it starts, whatever else they say by now.
 * @param text undefined where there is no file
 * @param had undefined where setup has nothing in it
 * @throws Unreadable for a file that cannot be read, or cannot be changed safely
 */
export function edit(text: string | undefined, had: Ours | undefined, wanted: readonly Entry[]): Edited {
  const [first] = [...wanted, ...(had?.entries ?? [])];
  if (!first || first.format === 'text') return editOwn(text, had?.entries[0], wanted[0]);
  if (text === undefined && wanted.length === 0) return { text, ours: NONE, lines: [], notes: [] };
  const mark = text?.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
  const file = new Settings(text?.slice(mark.length) ?? '', FORMATS[first.format]);
  // A file with nothing of ours has replaced the one that setup wrote: setup begins anew.
  const isKnown = had && (wanted.length === 0 || had.entries.some((each) => file.placeOf(each)));
  const before = text === undefined ? null : isBlank(text) ? text : undefined;
  const ours: Ours = isKnown ? had : { ...NONE, ...(before !== undefined && { before }) };
  file.made = [...ours.made];
  file.ends = [...ours.ends];
  const entries = wanted.filter((entry) =>
    file.enter(
      entry,
      ours.entries.find((each) => isSamePlace(each, entry)),
    ),
  );
  // The last one first, so that each is taken out of the text that it was put into.
  for (const old of ours.entries.toReversed())
    if (!wanted.some((each) => isSamePlace(each, old))) file.remove(old);
  file.removeEmpty();
  if (entries.length === 0) {
    file.removeHeaders(ours);
    file.restoreEnds();
  }
  const isOut = entries.length === 0 && isBlank(file.text) && ours.before !== undefined;
  const left = isOut ? (ours.before ?? undefined) : mark + file.text;
  return {
    text: left,
    ours: { ...ours, entries, made: file.made, ends: file.ends },
    lines: file.lines,
    notes: file.notes(),
  };
}

const BYTE_ORDER_MARK = '\uFEFF';
const NONE: Ours = { entries: [], made: [], ends: [] };

/** Whether settings say nothing, not even in a comment. */
const isBlank = (text: string): boolean => /^(?:\{\s*\})?$/.test(text.replace(BYTE_ORDER_MARK, '').trim());

/** A file that is all ours. One that a person changed is left, and stays on the list, so that each run reports it. */
function editOwn(text: string | undefined, old: Entry | undefined, entry: Entry | undefined): Edited {
  const isOurs = text === undefined || text === old?.value || (old && text === entry?.value);
  const named = old ?? entry;
  if (isOurs || !named) {
    const after = entry ? String(entry.value) : isOurs ? undefined : text;
    return { text: after, ours: { ...NONE, entries: entry ? [entry] : [] }, lines: [], notes: [] };
  }
  const note = `${named.part} in ${named.file} was ${old ? 'changed since setup' : 'there before'}: left as it is`;
  return { text, ours: { ...NONE, entries: old ? [old] : [] }, lines: [], notes: [note] };
}

/** The text of a file while setup changes it. */
class Settings {
  text: string;
  readonly format: Format;
  made: Path[] = [];
  ends: [Path, End][] = [];
  readonly lines: string[] = [];
  /** Notes, with the names of their entries. */
  readonly said = new Map<string, string[]>();

  constructor(text: string, format: Format) {
    this.text = text;
    this.format = format;
  }

  at(path: Path): unknown {
    return valueAt(this.format.read(this.text), path);
  }

  listAt(path: Path): unknown[] {
    const list = this.at(path) ?? [];
    if (!Array.isArray(list)) throw new Unreadable(`expected a list in ${path.join('.')}`);
    return list;
  }

  /** The path of an entry of ours; undefined where it is not there. */
  placeOf({ path, value, isItem }: Entry): Path | undefined {
    if (!isItem) return this.at(path) === undefined ? undefined : path;
    const list = this.listAt(path);
    const same = list.findIndex((each) => isDeepStrictEqual(each, value));
    const at = same < 0 && isGroup(value) ? list.findIndex(isHook) : same;
    if (at < 0) return undefined;
    // Somebody may have put a hook next to ours, into the same group.
    const hooks = valueAt(list, [at, 'hooks']);
    const isShared = Array.isArray(hooks) && hooks.length > 1;
    return isShared ? [...path, at, 'hooks', hooks.findIndex(isHook)] : [...path, at];
  }

  /** @param old the entry as setup wrote it last @returns whether it is ours */
  enter(entry: Entry, old: Entry | undefined): boolean {
    const place = this.placeOf(entry);
    const isPermission = entry.part === 'permissions';
    if (place && !old) {
      // A permission that a person gave is as good as ours.
      if (!isPermission && !entry.isFileHeader) this.say(`was in ${entry.file} before: left as it is`, entry);
      return false;
    }
    if (!place && !old && this.isForbidden(entry)) {
      this.say(`is forbidden in ${entry.file}: left as it is`, entry);
      return false;
    }
    if (!place && old && entry.isItem)
      this.say(`was removed from ${entry.file} since setup: it is not added again`, entry);
    else if (!place)
      this.put(entry.isItem ? [...entry.path, this.listAt(entry.path).length] : entry.path, entry.value);
    else if (old && !isDeepStrictEqual(old.value, entry.value)) this.update(place, entry, old);
    return true;
  }

  /**
   * Writes the new values of setup: changes and additions of a person stay. A hook is replaced in its place, since Codex
   * trusts it by that.
   */
  update(place: Path, { path, value, isItem }: Entry, old: Entry): void {
    if (isItem || !isGroup(value) || !isGroup(old.value)) {
      const isWithin = place.length > path.length + 1;
      this.put(place, isWithin ? (valueAt(value, ['hooks', 0]) as Value) : value);
      return;
    }
    for (const key of Object.keys(old.value))
      if (!Object.hasOwn(value, key) && this.at([...place, key]) !== undefined) this.take([...place, key]);
    for (const [key, field] of Object.entries(value))
      if (!isDeepStrictEqual(valueAt(old.value, [key]), field)) this.put([...place, key], field);
  }

  isForbidden({ unless }: Entry): boolean {
    const list = unless && this.at(unless.path);
    return Array.isArray(list) && list.some((each) => unless?.holds.includes(each));
  }

  put(path: Path, value: Value): void {
    for (let depth = 1; depth < path.length; depth++) {
      const group = path.slice(0, depth);
      if (this.at(group) === undefined) this.made.push(group);
    }
    const container = path.slice(
      0,
      path.findLastIndex((_, at) => this.at(path.slice(0, at)) !== undefined),
    );
    const end = this.format.endIn?.(this.text, container);
    if (end && !this.ends.some(([known]) => isDeepStrictEqual(known, container)))
      this.ends.push([container, end]);
    this.text = this.format.put(this.text, path, value);
    this.lines.push(`+ ${labelOf(path)}: ${JSON.stringify(value)}`);
  }

  take(path: Path, what = ''): void {
    this.text = this.format.take(this.text, path);
    this.lines.push(`- ${labelOf(path)}${what}`);
  }

  remove(entry: Entry): void {
    if (entry.isFileHeader) return;
    const { value, isItem } = entry;
    const place = this.placeOf(entry);
    if (!place) return;
    const present = this.at(place);
    if (!isItem && !isDeepStrictEqual(present, value)) {
      const keys = Object.keys({ ...(isGroup(present) && present) });
      const changed = keys.filter(
        (key) => !isDeepStrictEqual(valueAt(present, [key]), valueAt(value, [key])),
      );
      this.say(
        `in ${entry.file} is removed, although these parts were changed since setup: ${changed.join(', ')}`,
        entry,
      );
    }
    this.take(place, typeof value === 'string' ? `: ${value}` : '');
  }

  /** Takes the groups that were made and are empty now, the inner ones first. */
  removeEmpty(): void {
    const there = this.made.filter((path) => this.at(path) !== undefined);
    for (const path of there.toSorted((one, other) => other.length - one.length)) {
      if (Object.keys(Object(this.at(path))).length === 0) this.text = this.format.take(this.text, path);
    }
    this.made = there.filter((path) => this.at(path) !== undefined);
  }

  /** Removes the headers of the file, unless what others wrote into a file of ours needs them. */
  removeHeaders({ entries, before }: Ours): void {
    const headers = entries.filter(({ isFileHeader }) => isFileHeader);
    const isAlone = Object.keys(this.format.read(this.text)).length === headers.length;
    if (before !== null || isAlone)
      for (const { path } of headers) if (this.at(path) !== undefined) this.take(path);
  }

  restoreEnds(): void {
    for (const [path, end] of this.ends.splice(0)) {
      try {
        this.text = this.format.putEnd?.(this.text, path, end) ?? this.text;
      } catch (error) {
        // A comment that was added since needs the line.
        if (!(error instanceof Unreadable)) throw error;
      }
    }
  }

  say(what: string, { part, path, value }: Entry): void {
    const name =
      typeof value === 'string' ? value : path[0] === part ? labelOf(path) : `${part} ${labelOf(path)}`;
    this.said.set(what, [...(this.said.get(what) ?? []), name]);
  }

  notes(): string[] {
    return [...this.said].map(([what, names]) => `${names.join(', ')} ${what}`);
  }
}

/** The keys of a path; a place in a list says nothing to a person. */
const labelOf = (path: Path): string => path.filter((key) => typeof key === 'string').join('.');

/** Whether something starts a hook of Precedent, in whatever form. */
export function isHook(value: unknown): boolean {
  return /\bprecedent(?:\.cjs)?['"]?\s(?:.*\s)?hook\s+\w/.test(textsIn(value).join(' '));
}

/** All texts in a value. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** Two entries that exclude each other: one key, the hook of one event, or the same name in a list. */
function isSamePlace(one: Entry, other: Entry): boolean {
  if (!isDeepStrictEqual(one.path, other.path)) return false;
  return (
    !one.isItem || (isGroup(one.value) && isGroup(other.value)) || isDeepStrictEqual(one.value, other.value)
  );
}
