import { isDeepStrictEqual } from 'node:util';
import { createTwoFilesPatch } from 'diff';
import { isGroup, type Value, valueAt } from './edit/value.ts';
import { type Entry, FORMATS } from './entry.ts';
import type { Change } from './plan.ts';

/**
 * What changes of ours in a file, as a unified diff. Nothing that others have in it is shown: settings hold keys of other
 * servers.
 */
export function differenceOf({ file, before, after, entries, written }: Change): string {
  const nameOf = (bytes: Buffer | undefined) => (bytes === undefined ? '/dev/null' : file);
  const [old, now] = [textOf(before, written?.entries ?? []), textOf(after, entries)];
  const patch = createTwoFilesPatch(nameOf(before), nameOf(after), old, now, '', '', {
    context: 1,
    headerOptions: { includeIndex: false, includeUnderline: false, includeFileHeaders: true },
  });
  return patch.trimEnd();
}

/** A file as it would be if it held alone what it has of these entries. */
function textOf(bytes: Buffer | undefined, entries: readonly Entry[]): string {
  const whole = bytes?.toString().replace(/^\uFEFF/, '') ?? '';
  return entries.reduce((text, entry) => {
    const { format, path, isItem } = entry;
    const value = partIn(whole, entry);
    if (format === 'text' || value === undefined) return value === undefined ? text : String(value);
    const { read, put } = FORMATS[format];
    const list = valueAt(read(text), path);
    const place = Array.isArray(list) ? list.length : 0;
    return put(text, isItem ? [...path, place] : path, value);
  }, '');
}

/** What a file has of an entry of ours: somebody may have changed it by hand, and an agent may have added keys. */
function partIn(text: string, { format, path, value, isItem }: Entry): Value | undefined {
  if (format === 'text') return text === String(value) ? value : undefined;
  const there = valueAt(FORMATS[format].read(text), path);
  if (!isItem || !Array.isArray(there)) return common(there, value);
  return there.some((each) => isDeepStrictEqual(each, value)) ? value : undefined;
}

/** What two values both say. */
function common(one: unknown, other: Value): Value | undefined {
  if (!isGroup(one) || !isGroup(other)) return isDeepStrictEqual(one, other) ? other : undefined;
  const both = Object.entries(other).map(([key, each]) => [key, common(one[key], each)] as const);
  return Object.fromEntries(both.filter(([, value]) => value !== undefined)) as Value;
}
