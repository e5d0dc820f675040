import type { Reference } from './edge.ts';

/** The decisions that a reasoning text refers to, and the references in it that could not be read (G-2 … G-6, G-9). */
export interface ParsedReasoning {
  references: { relationship: Reference; id: string }[];
  warnings: string[];
  /** What is said beside the links: ids and the lists that hold them are no words (W-2). */
  prose: string;
}

const MOST_WARNINGS = 20;
const SHOWN_CHARACTERS = 40;

/** A relation word as agents write it: `builds_on`, `builds on`, `builds-on`, `debates`, `synthesizes`. */
const WORD = 'builds[_ -]?on|debates|synthesizes';
const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![0-9a-z-])';
/** A whole id. The front part of a longer word does not count: it may be the id of another decision. */
const ID = `(?:decision_${UUID}|decision_\\w{1,191}(?!\\w|-\\w)|${UUID})`;

/** Signs that markdown, quotes and Korean brackets put around a word. */
const SIGNS = '*_`"\'“”‘’「」『』〈〉《》［］【】';
const BULLET_SIGN = '(?:[-*•+]|\\d+[.)])';
const SEPARATORS = ',;、，/&+|';
/** Blanks that stay on the line. */
const BLANKS = '[^\\S\\n]*';

/**
 * A relation word and its colon (group 2): `builds_on:`, `**Debates**:`, `<b>builds_on</b>:`, `synthesizes는：`. Or, by
 * mistake, a relation word and an id without a colon: `builds_on decision_a`.
 */
const KEY = new RegExp(
  `(?<![A-Za-z0-9]_?)(${WORD})(?:</\\w+>)?[${SIGNS}]*\\p{Script=Hangul}{0,2}` +
    `(?:\\s*([:：])[${SIGNS}]*|[^\\p{L}\\p{N}\\n:：]{1,12}(?=${ID}))`,
  'giu',
);
/** A key inside a bracketed list: the bracket was not closed before it. */
const NEXT_KEY = new RegExp(`(?:${WORD})\\W{0,4}[:：]`, 'iu');

/** The opening bracket of a list, with signs or a backslash before it: `[`, `**[`, `"[`, `\\[`. */
const OPENING = new RegExp(`\\s*[${SIGNS}]*\\\\?\\[`, 'uy');
/** The text between two items of a bracketed list. */
const LIST_SEPARATORS = new RegExp(`[${SEPARATORS}\\s]+`);
/** An item of a bracketed list that is neither an id nor a mistake: a conjunction, a bullet, a backslash. */
const FILLER = /^(?:and|or|vs\.?|및|그리고|또는|와|과|[-*•\\]|\d+[.)])$/i;
/** The ids in one item, also when a particle alone stands between them: `<uuid>와<uuid>`. */
const ANY_ID = new RegExp(`(?<![\\w-])${ID}|${ID}`, 'giu');
/** An id anywhere in a text. Of the imported form only one with a digit: `decision_maker` is a word. */
const BARE_ID = new RegExp(`(?<![\\w-])(?:(?:decision_)?${UUID}|decision_\\w*\\d\\w*)`, 'giu');
/** A link that is made by itself, written all the same. */
const SUPERSEDES = new RegExp(`supersedes\\s*[:：]\\s*(?=${ID})`, 'giu');
/** The rest of such an item: particles and punctuation. */
const AROUND_IDS = /^[\p{Script=Hangul}\p{P}\p{S}]*$/u;

/** The text before the first id of a bare list: blanks, line breaks and at most one bullet. */
const START = new RegExp(`\\s*(?:${BULLET_SIGN}\\s+)?`, 'y');
/** One id of a bare list with brackets and signs around it: `**decision_a**`, `(decision_a)`, `#<uuid>`. */
const ITEM = new RegExp(`[(<{#${SIGNS}]*(${ID})[)>}${SIGNS}]*`, 'iuy');
/**
 * The text between two ids of a bare list: a particle (`<uuid>도 <uuid>`), a remark in brackets (`decision_a (why), …`),
 * any number of separators and conjunctions (`, and `), or nothing.
 */
const BETWEEN = new RegExp(
  `\\p{Script=Hangul}{0,3}(?:${BLANKS}\\([^()\\n]*\\))?` +
    `(?:${BLANKS}(?:[${SEPARATORS}]|\\b(?:and|or|vs)\\b\\.?|및|그리고|또는|와|과)\\s*)*${BLANKS}`,
  'iuy',
);
/** A line break and the bullet of the next item. Without a bullet the next line is prose, and the list has ended. */
const BULLET = new RegExp(`${BLANKS}\\n\\s*${BULLET_SIGN}\\s+`, 'y');
const REST_OF_LINE = /[^\n]*/y;
/** A word that was meant as an id: `decision-abc`, `3f25-04e0-…`. */
const LOOKS_LIKE_ID = /^[*_`"'“”‘’(<{#]*(?:decision[-_:\d]\S*|[0-9a-f]+-[0-9a-f]+-\S*)/i;

/**
 * Reads `builds_on:`, `debates:` and `synthesizes:` in reasoning text: bare, bracketed or bulleted lists, bold or
 * quoted keys, any letter case, ids with particles or punctuation attached. It never throws: a reference that cannot be
 * read is left out and named in `warnings` (G-6).
 */
export function parseReasoning(reasoning: string): ParsedReasoning {
  // Markdown escapes underscores.
  const text = reasoning.replaceAll('\\_', '_');
  const found = new Map<string, { relationship: Reference; id: string }>();
  const warnings: string[] = [];
  const prose: string[] = [];
  let said = 0;
  const pattern = new RegExp(KEY);
  for (let key = pattern.exec(text); key; key = pattern.exec(text)) {
    const word = (key[1] as string).toLowerCase();
    const relationship = (word.startsWith('builds') ? 'builds_on' : word) as Reference;
    const read = key[2] ? readReferences(text, pattern.lastIndex) : withoutColon(pattern.lastIndex);
    for (const id of read.ids) found.set(`${relationship} ${id.toLowerCase()}`, { relationship, id });
    for (const problem of read.problems) warnings.push(`${relationship}: ${problem} It was ignored.`);
    pattern.lastIndex = Math.max(read.end, pattern.lastIndex);
    prose.push(text.slice(said, key.index));
    said = key.index + key[0].length;
    prose.push(text.slice(said, pattern.lastIndex).replace(ANY_ID, ' '));
    said = pattern.lastIndex;
  }
  prose.push(text.slice(said));
  return {
    references: [...found.values()],
    warnings: capped(warnings),
    prose: prose.join(' ').replace(SUPERSEDES, ' ').replace(BARE_ID, ' ').trim(),
  };
}

interface ReadList {
  ids: string[];
  problems: string[];
  end: number;
}

function withoutColon(end: number): ReadList {
  return { ids: [], problems: ['expected a colon before the decision id, found none.'], end };
}

function readReferences(text: string, start: number): ReadList {
  const inside = skip(OPENING, text, start);
  return inside === undefined ? readBare(text, start) : readBracketed(text, inside);
}

function readBracketed(text: string, start: number): ReadList {
  const close = text.indexOf(']', start);
  const content = close === -1 ? '' : text.slice(start, close);
  if (close === -1 || content.includes('[') || NEXT_KEY.test(content)) {
    return { ids: [], problems: ['expected a list closed by "]", found none.'], end: start };
  }
  const ids: string[] = [];
  const problems: string[] = [];
  for (const item of content.split(LIST_SEPARATORS)) {
    if (item === '' || FILLER.test(item)) continue;
    const inItem = idsOf(item);
    if (inItem) ids.push(...inItem);
    else problems.push(notAnId(item));
  }
  if (ids.length + problems.length === 0) problems.push('expected decision ids in the list, found none.');
  return { ids, problems, end: close + 1 };
}

/** The ids in one item of a list; undefined when it holds anything else than ids, particles and punctuation. */
function idsOf(item: string): string[] | undefined {
  const ids = item.match(ANY_ID);
  return ids && AROUND_IDS.test(item.replace(ANY_ID, '')) ? ids : undefined;
}

/** A list without brackets. In a bulleted one prose may follow each id, up to the end of its line. */
function readBare(text: string, start: number): ReadList {
  const ids: string[] = [];
  const begin = skip(START, text, start) ?? start;
  // The list is bulleted from its first item on, or from a later one.
  let bulleted = /\n/.test(text.slice(start, begin));
  let next = begin;
  let end = start;
  for (let item = readItem(text, next); item; item = readItem(text, next)) {
    ids.push(item.id);
    end = item.end;
    const between = skip(BETWEEN, text, end) ?? end;
    if (readItem(text, between)) {
      next = between;
      continue;
    }
    const lineEnd = bulleted ? (skip(REST_OF_LINE, text, end) ?? end) : end;
    const bullet = skip(BULLET, text, lineEnd);
    bulleted ||= bullet !== undefined;
    next = bullet ?? between;
  }
  const rest = text.slice(next, next + 200);
  if (ids.length === 0) return { ids, problems: [notAnId(rest.split('\n')[0] ?? '')], end };
  const nearMiss = next > end && LOOKS_LIKE_ID.test(rest);
  return { ids, problems: nearMiss ? [notAnId(rest.split(/\s/)[0] ?? '')] : [], end };
}

function readItem(text: string, at: number): { id: string; end: number } | undefined {
  ITEM.lastIndex = at;
  const match = ITEM.exec(text);
  return match ? { id: match[1] as string, end: ITEM.lastIndex } : undefined;
}

function skip(separator: RegExp, text: string, at: number): number | undefined {
  separator.lastIndex = at;
  return separator.test(text) ? separator.lastIndex : undefined;
}

function notAnId(found: string): string {
  const shown = [...found.trim()].slice(0, SHOWN_CHARACTERS).join('');
  return `expected a decision id (a UUID or decision_…), found ${shown === '' ? 'nothing' : `"${shown}"`}.`;
}

function capped(warnings: string[]): string[] {
  if (warnings.length <= MOST_WARNINGS) return warnings;
  const left = warnings.length - MOST_WARNINGS;
  return [...warnings.slice(0, MOST_WARNINGS), `${left} more references could not be read.`];
}
