import { pattern } from '../text/pattern.ts';
import { ID, type Item, isTopicLike, type ReadList, readItem, SIGNS } from './item.ts';
import { BETWEEN, BULLET_SIGN, CONJUNCTION, SEPARATORS, START, skip } from './separators.ts';
import { unreadable } from './warnings.ts';
import { LINK } from './words.ts';

/** A key inside a bracketed list: the bracket was not closed before it. */
const NEXT_KEY = pattern(`(?:${LINK})\\W{0,4}[:：]`, 'iu');
const CLOSING = /[\]］]{1,2}/g;
/** An item of a bracketed list, up to a comma or the end of its line. */
const LIST_ITEM = /[^,;、，\n]+/g;
/** The words of an item that has something else next to ids. */
const WORD = pattern(`[^${SEPARATORS}\\s]+`, 'g');
/** A word that is neither an id nor a mistake: a conjunction, a bullet, a backslash. */
const FILLER = pattern(`^(?:${CONJUNCTION}|${BULLET_SIGN}|\\\\)$`, 'i');
/** The ids in one word, also when only a particle is between them: `<uuid>와<uuid>`. */
const IDS = pattern(`(?<![\\w-])${ID}|${ID}`, 'giu');
/** What may be left of an item next to its references: a particle and punctuation. */
const AROUND = pattern('^[\\p{Script=Hangul}\\p{P}\\p{S}]*\\s*$', 'u');
/** Blanks and signs around a topic. */
const AROUND_TOPIC = pattern(`^[\\s\\\\${SIGNS}]+|[\\s\\\\${SIGNS}]+$`, 'gu');

/** A list in brackets, which were opened just before. */
export function readBracketed(text: string, start: number): ReadList {
  CLOSING.lastIndex = start;
  const close = CLOSING.exec(text);
  const content = close ? text.slice(start, close.index) : '';
  if (!close || /[[［]/.test(content) || NEXT_KEY(content).test(content)) {
    return { items: [], problems: ['expected a list closed by "]", found none.'], end: start };
  }
  const items: Item[] = [];
  const problems: string[] = [];
  for (const { 0: item, index } of content.matchAll(LIST_ITEM)) {
    if (FILLER(item).test(item.trim()) || item.trim() === '') continue;
    const read = readListItem(item);
    const at = start + index;
    for (const each of read.items)
      items.push({ ...each, mayBeTopic: true, start: at + each.start, end: at + each.end });
    problems.push(...read.problems);
  }
  if (items.length + problems.length === 0) problems.push('expected decision ids in the list, found none.');
  return { items, problems, end: close.index + close[0].length };
}

/** What is between two commas in brackets: references, ids among other words, or one topic of any words. */
function readListItem(item: string): Omit<ReadList, 'end'> {
  const run = readRun(item);
  if (run) return { items: run, problems: [] };
  if (item.search(IDS(item)) !== -1) return readIdsAmongWords(item);
  const written = item.slice(skip(START, item, 0)).replace(AROUND_TOPIC(item), '');
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
  return items.length > 0 && AROUND(text).test(text.slice(end)) ? items : undefined;
}

function readIdsAmongWords(text: string): Omit<ReadList, 'end'> {
  const items: Item[] = [];
  const problems: string[] = [];
  for (const { 0: word, index } of text.matchAll(WORD(text))) {
    if (FILLER(word).test(word)) continue;
    const ids = [...word.matchAll(IDS(word))];
    if (ids.length === 0 || !AROUND(word).test(word.replace(IDS(word), ''))) problems.push(unreadable(word));
    else
      for (const { 0: written, index: at } of ids)
        items.push({ written, mayBeTopic: true, start: index + at, end: index + at + written.length });
  }
  return { items, problems };
}
