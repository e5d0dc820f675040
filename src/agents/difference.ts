import { isDeepStrictEqual } from 'node:util';
import { createTwoFilesPatch } from 'diff';
import { valueAt } from './edit/value.ts';
import { type Entry, FORMATS } from './entry.ts';
import type { Change } from './plan.ts';

/**
 * What changes of ours in a file, as a unified diff. Nothing that others have in it is shown: settings hold keys of other
 * servers.
 */
export function differenceOf({ file, before, after, entries, written }: Change): string {
  const nameOf = (bytes: Buffer | undefined) => (bytes === undefined ? '/dev/null' : file);
  const text = before?.toString().replace(/^\uFEFF/, '') ?? '';
  const there = (written?.entries ?? []).filter((entry) => isIn(text, entry));
  const [old, now] = [textOf(there), textOf(entries)];
  const patch = createTwoFilesPatch(nameOf(before), nameOf(after), old, now, '', '', {
    context: 1,
    headerOptions: { includeIndex: false, includeUnderline: false, includeFileHeaders: true },
  });
  return patch.trimEnd();
}

/** A file as it would be if it held these entries alone. */
function textOf(entries: readonly Entry[]): string {
  return entries.reduce((text, { format, path, value, isItem }) => {
    if (format === 'text') return String(value);
    const { read, put } = FORMATS[format];
    const list = valueAt(read(text), path);
    const place = Array.isArray(list) ? list.length : 0;
    return put(text, isItem ? [...path, place] : path, value);
  }, '');
}

/** Whether a file still has an entry of ours: somebody may have removed it by hand. */
function isIn(text: string, { format, path, value, isItem }: Entry): boolean {
  if (format === 'text') return text === String(value);
  const there = valueAt(FORMATS[format].read(text), path);
  return isItem && Array.isArray(there)
    ? there.some((each) => isDeepStrictEqual(each, value))
    : isDeepStrictEqual(there, value);
}
