import { type Item, type ReadList, readItem } from './item.ts';
import { BETWEEN, BLANKS, BULLET_SIGN, START, skip, sticky } from './separators.ts';
import { unreadable } from './warnings.ts';

/** A line break and the bullet of the next item. Without a bullet the next line is prose, and the list has ended. */
const BULLET = sticky(`${BLANKS}\\n\\s*${BULLET_SIGN}\\s+`);
const REST_OF_LINE = sticky('[^\\n]*');
/** A word that was meant as an id: `decision-abc`, `3f25-04e0-…`. */
const LOOKS_LIKE_ID = /^[*_`"'“”‘’(<{#]*(?:decision[-_:\d]\S*|[0-9a-f]+-[0-9a-f]+-\S*)/i;

/** A list without brackets. In a bulleted one prose may follow each reference, up to the end of its line. */
export function readBare(text: string, start: number): ReadList {
  const items: Item[] = [];
  const begin = skip(START, text, start) ?? start;
  // The list is bulleted from its first item on, or from a later one.
  let bulleted = /\n/.test(text.slice(start, begin));
  // Who writes one topic with blanks around its colon writes them all so; "<id>, reason: slow" is prose.
  let spaced = true;
  let next = begin;
  let end = start;
  for (let item = readItem(text, next, spaced); item; item = readItem(text, next, spaced)) {
    items.push(item);
    end = item.end;
    spaced &&= /\s/.test(item.written);
    const between = skip(BETWEEN, text, end) ?? end;
    if (readItem(text, between, spaced)) {
      next = between;
      continue;
    }
    const lineEnd = bulleted ? (skip(REST_OF_LINE, text, end) ?? end) : end;
    const bullet = skip(BULLET, text, lineEnd);
    bulleted ||= bullet !== undefined;
    next = bullet ?? between;
  }
  const rest = text.slice(next, next + 200);
  if (items.length === 0) return { items, problems: [unreadable(rest.split('\n')[0] ?? '')], end };
  const nearMiss = next > end && LOOKS_LIKE_ID.test(rest);
  return { items, problems: nearMiss ? [unreadable(rest.split(/\s/)[0] ?? '')] : [], end };
}
