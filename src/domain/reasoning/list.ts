import { ID, type Item, isTopicLike, type ReadList, readItem, SIGNS, sticky } from './item.ts';
import { unreadable } from './warnings.ts';
import { LINK } from './words.ts';

/** The sign of a list's item: `-`, `1.`. */
const BULLET_SIGN = '(?:[-*•+]|\\d+[.)])';
/** The signs between references, and the words: `와` and `vs`, but not the beginning of `와이파이:설정` or `vs-code:theme`. */
const SEPARATORS = ',;、，/&+|';
const CONJUNCTION =
  '(?:\\b(?:and|or|vs)\\b\\.?|및|그리고|또는|와|과)(?!(?!decision_|[0-9a-f]{8}-)[\\p{L}\\p{N}:_-])';
/** Blanks that stay on the line. */
const BLANKS = '[^\\S\\n]*';

/** The text before the first reference of a list: blanks, line breaks, and at most one bullet or conjunction. */
const START = sticky(`\\s*(?:(?:${BULLET_SIGN}|and|or|vs\\.?)\\s+)?`);
/**
 * The text between two references of a bare list: a particle (`<uuid>도 <uuid>`), a remark in brackets
 * (`decision_a (why), …`), any number of separators and conjunctions (`, and `), or nothing.
 */
const BETWEEN = sticky(
  `[\\p{Script=Hangul}]{0,3}(?:${BLANKS}\\([^()\\n]*\\))?` +
    `(?:${BLANKS}(?:[${SEPARATORS}]|${CONJUNCTION})\\s*)*${BLANKS}`,
);

/** The opening bracket of a list, with signs or a backslash before it: `[`, `**[`, `"[`, `\\[`, `[[`. */
const OPENING = sticky(`\\s*[${SIGNS}]*\\\\?[\\[［]{1,2}`);
/** From one bracketed list to the next: `[a], [b]`. */
const NEXT_LIST = sticky(`${BLANKS}(?:[${SEPARATORS}]|${CONJUNCTION})\\s*(?=[\\[［])`);

/** A line break and the bullet of the next item. Without a bullet the next line is prose, and the list has ended. */
const BULLET = sticky(`${BLANKS}\\n\\s*${BULLET_SIGN}\\s+`);
const REST_OF_LINE = sticky('[^\\n]*');
/** A word that was meant as an id: `decision-abc`, `3f25-04e0-…`. */
const LOOKS_LIKE_ID = /^[*_`"'“”‘’(<{#]*(?:decision[-_:\d]\S*|[0-9a-f]+-[0-9a-f]+-\S*)/i;

/** A key inside a bracketed list: the bracket was not closed before it. */
const NEXT_KEY = new RegExp(`(?:${LINK})\\W{0,4}[:：]`, 'iu');
const CLOSING = /[\]］]{1,2}/g;
/** An item of a bracketed list, up to a comma or the end of its line. */
const LIST_ITEM = /[^,;、，\n]+/g;
/** The words of an item that has something else next to ids. */
const WORD = new RegExp(`[^${SEPARATORS}\\s]+`, 'g');
/** A word that is neither an id nor a mistake: a conjunction, a bullet, a backslash. */
const FILLER = new RegExp(`^(?:${CONJUNCTION}|${BULLET_SIGN}|\\\\)$`, 'i');
/** The ids in one word, also when only a particle is between them: `<uuid>와<uuid>`. */
const IDS = new RegExp(`(?<![\\w-])${ID}|${ID}`, 'giu');
/** Text that may be left of an item next to its references: a particle and punctuation. */
const AROUND = /^[\p{Script=Hangul}\p{P}\p{S}]*\s*$/u;
/** Blanks and signs around a topic. */
const AROUND_TOPIC = new RegExp(`^[\\s\\\\${SIGNS}]+|(?<![\\s\\\\${SIGNS}])[\\s\\\\${SIGNS}]+$`, 'gu');

/** Reads the references that follow a relation word and its colon: bracketed lists, a bare list, or a bulleted one. */
export function readReferences(text: string, start: number): ReadList {
  const read: ReadList = { items: [], problems: [], end: start };
  for (let next: number | undefined = start; next !== undefined; next = skip(NEXT_LIST, text, read.end)) {
    const inside = skip(OPENING, text, next);
    const { items, problems, end } =
      inside === undefined ? readBare(text, next) : readBracketed(text, inside);
    read.items.push(...items);
    read.problems.push(...problems);
    read.end = end;
    if (inside === undefined || problems.length > 0) break;
  }
  return read;
}

/** A list without brackets. In a bulleted one prose may follow each reference, up to the end of its line. */
function readBare(text: string, start: number): ReadList {
  const items: Item[] = [];
  const begin = skip(START, text, start) ?? start;
  // The list is bulleted from its first item on, or from a later one.
  let bulleted = /\n/.test(text.slice(start, begin));
  // Blanks around the colon of one topic mean blanks around all; "<id>, reason: slow" is prose.
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

/** A list in brackets, which were opened just before. */
function readBracketed(text: string, start: number): ReadList {
  CLOSING.lastIndex = start;
  const close = CLOSING.exec(text);
  const content = close ? text.slice(start, close.index) : '';
  if (!close || /[[［]/.test(content) || NEXT_KEY.test(content)) {
    return { items: [], problems: ['expected a list closed by "]", found none.'], end: start };
  }
  const items: Item[] = [];
  const problems: string[] = [];
  for (const { 0: item, index } of content.matchAll(LIST_ITEM)) {
    if (FILLER.test(item.trim()) || item.trim() === '') continue;
    const read = readListItem(item);
    const at = start + index;
    for (const each of read.items)
      items.push({ ...each, mayBeTopic: true, start: at + each.start, end: at + each.end });
    problems.push(...read.problems);
  }
  if (items.length + problems.length === 0) problems.push('expected decision ids in the list, found none.');
  return { items, problems, end: close.index + close[0].length };
}

/** The parts between commas in brackets: references, ids among other words, or one topic of any words. */
function readListItem(item: string): Omit<ReadList, 'end'> {
  const run = readRun(item);
  if (run) return { items: run, problems: [] };
  if (item.search(IDS) !== -1) return readIdsAmongWords(item);
  const written = item.slice(skip(START, item, 0)).replace(AROUND_TOPIC, '');
  if (!isTopicLike(written)) return { items: [], problems: [unreadable(item)] };
  return { items: [{ written, mayBeTopic: true, start: 0, end: item.length }], problems: [] };
}

/** The references of an item that holds nothing else; undefined when it does. */
function readRun(text: string): Item[] | undefined {
  const items: Item[] = [];
  let end = 0;
  let next = skip(START, text, 0) ?? 0;
  for (let item = readItem(text, next, false); item; item = readItem(text, next, false)) {
    items.push(item);
    end = item.end;
    next = skip(BETWEEN, text, end) ?? end;
  }
  return items.length > 0 && AROUND.test(text.slice(end)) ? items : undefined;
}

function readIdsAmongWords(text: string): Omit<ReadList, 'end'> {
  const items: Item[] = [];
  const problems: string[] = [];
  for (const { 0: word, index } of text.matchAll(WORD)) {
    if (FILLER.test(word)) continue;
    const ids = [...word.matchAll(IDS)];
    if (ids.length === 0 || !AROUND.test(word.replace(IDS, ''))) problems.push(unreadable(word));
    else
      for (const { 0: written, index: at } of ids)
        items.push({ written, mayBeTopic: true, start: index + at, end: index + at + written.length });
  }
  return { items, problems };
}

/** Where a pattern ends that matches at a place of a text. */
function skip(made: RegExp, text: string, at: number): number | undefined {
  made.lastIndex = at;
  return made.test(text) ? made.lastIndex : undefined;
}
