import { isDeepStrictEqual } from 'node:util';
import { createTwoFilesPatch } from 'diff';
import { type Path, valueAt } from './edit/value.ts';
import { type Entry, FORMATS } from './entry.ts';
import type { Change } from './plan.ts';

/**
 * The text of a file of settings as it may be shown: each value and comment that is not ours is `…`. A line of a
 * difference, or one next to it, may hold a key of another server.
 * @param entries all that is ours in it, as it was and as it is to be; a file of our own is shown whole
 * @throws Unreadable
 */
export function masked(text: string, entries: readonly Entry[]): string {
  const [first] = entries;
  if (first === undefined || first.format === 'text') return text;
  const format = FORMATS[first.format];
  const whole = format.read(text);
  let shown = '';
  let at = 0;
  for (const { path, start, end } of format.leaves(text)) {
    if (path && entries.some((entry) => isOurs(entry, path, whole))) continue;
    const [mark = ''] = path ? [] : (text.slice(start, start + 2).match(/^(?:\/[/*]|#)/) ?? []);
    shown += `${text.slice(at, start)}${mark}…`;
    at = end;
  }
  return shown + text.slice(at);
}

/** Whether an entry says the very same at a path. */
function isOurs({ path: to, value, isItem }: Entry, path: Path, whole: Record<string, unknown>): boolean {
  if (!isDeepStrictEqual(path.slice(0, to.length), [...to])) return false;
  const top = isItem ? path.slice(0, to.length + 1) : to;
  if (isItem) return isDeepStrictEqual(valueAt(whole, top), value);
  return isDeepStrictEqual(valueAt(whole, path), valueAt(value, path.slice(to.length)));
}

/** What changes in a file, as a unified diff with little around it: settings may hold what is nobody's business. */
export function diffOf({ file, before, after, entries, written }: Change): string {
  const ours = [...entries, ...(written?.entries ?? [])];
  const textOf = (bytes: Buffer | undefined) =>
    bytes === undefined ? '' : masked(bytes.toString().replace(/^\uFEFF/, ''), ours);
  const nameOf = (bytes: Buffer | undefined) => (bytes === undefined ? '/dev/null' : file);
  const patch = createTwoFilesPatch(nameOf(before), nameOf(after), textOf(before), textOf(after), '', '', {
    context: 1,
    headerOptions: { includeIndex: false, includeUnderline: false, includeFileHeaders: true },
  });
  return patch.trimEnd();
}
