import type { Reference } from './edge.ts';

/** What reasoning text says about other decisions, and what in it could not be read (G-2 … G-6, G-9). */
export interface ParsedReasoning {
  references: { relationship: Reference; id: string }[];
  warnings: string[];
}

const MOST_WARNINGS = 20;
const SHOWN_CHARACTERS = 40;

/** What markdown, quotes and Korean brackets put around a word. */
const SIGNS = '*_`"\'“”‘’「」『』〈〉《》［］【】';
const DECORATION = `[${SIGNS}]*`;
const WORDS = 'builds[_ -]?on|debates|synthesizes';
const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![0-9a-z-])';
/** No longer than an id can be, and not the front part of something longer: a cut id may be another one's. */
const ID = `(?:decision_${UUID}|decision_\\w{1,191}(?!\\w|-\\w)|${UUID})`;

/** A relation word, with what is glued to it, and its colon; or, mistaken, a relation word and then an id. */
const PATTERN = new RegExp(
  `(?<![A-Za-z0-9]_?)(${WORDS})(?:</\\w+>)?${DECORATION}\\p{Script=Hangul}{0,2}` +
    `(?:\\s*([:：])${DECORATION}|[^\\p{L}\\p{N}\\n:：]{1,12}(?=${ID}))`,
  'giu',
);
/** One id with what is put around it. */
const ITEM = new RegExp(`[(<{#${SIGNS}]*(${ID})[)>}${SIGNS}]*`, 'iuy');
const ANY_ID = new RegExp(`(?<![\\w-])${ID}|${ID}`, 'giu');
/** What may stand between two ids of a bare list, down to nothing: a particle, a remark in brackets, a separator. */
const BETWEEN =
  /\p{Script=Hangul}{0,3}(?:[^\S\n]*\([^()\n]*\))?(?:[^\S\n]*(?:[,;、，/&+|]|\b(?:and|or|vs)\b\.?|및|그리고|또는|와|과)\s*)*[^\S\n]*/iuy;
/** A line break is a separator only before a list bullet, so that prose on the next line is prose. */
const BULLET = /[^\S\n]*\n\s*(?:[-*•+]|\d+[.)])\s+/y;
const START = /\s*(?:(?:[-*•+]|\d+[.)])\s+)?/y;
const REST_OF_LINE = /[^\n]*/y;
const OPENING = new RegExp(`\\s*${DECORATION}\\\\?\\[`, 'uy');
const NEXT_KEY = new RegExp(`(?:${WORDS})\\W{0,4}[:：]`, 'iu');
const LIST_SEPARATORS = /[,;、，/&+|\s]+/;
const FILLER = /^(?:and|or|vs\.?|및|그리고|또는|와|과|[-*•\\]|\d+[.)])$/i;
const AFTER_ID = /^[\p{Script=Hangul}\p{P}\p{S}]*$/u;
const LOOKS_LIKE_ID = /^[*_`"'“”‘’(<{#]*(?:decision[-_:\d]\S*|[0-9a-f]+-[0-9a-f]+-\S*)/i;

/**
 * Reads `builds_on:`, `debates:` and `synthesizes:` in reasoning text: bare, bracketed or bulleted lists, bold or
 * quoted keys, any letter case, ids with particles or punctuation glued on. Never throws; what cannot be read is left
 * out and named in `warnings` (G-6).
 */
export function parseReasoning(reasoning: string): ParsedReasoning {
  // Markdown escapes underscores.
  const text = reasoning.replaceAll('\\_', '_');
  const found = new Map<string, { relationship: Reference; id: string }>();
  const warnings: string[] = [];
  const pattern = new RegExp(PATTERN);
  for (let key = pattern.exec(text); key; key = pattern.exec(text)) {
    const word = (key[1] as string).toLowerCase();
    const relationship = (word.startsWith('builds') ? 'builds_on' : word) as Reference;
    const read = key[2] ? readReferences(text, pattern.lastIndex) : withoutColon(pattern.lastIndex);
    for (const id of read.ids) found.set(`${relationship} ${id.toLowerCase()}`, { relationship, id });
    for (const problem of read.problems) warnings.push(`${relationship}: ${problem} It was ignored.`);
    pattern.lastIndex = Math.max(read.end, pattern.lastIndex);
  }
  return { references: [...found.values()], warnings: capped(warnings) };
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

/** The ids in one item of a list, with nothing but particles and punctuation around them; else undefined. */
function idsOf(item: string): string[] | undefined {
  const ids = item.match(ANY_ID);
  return ids && AFTER_ID.test(item.replace(ANY_ID, '')) ? ids : undefined;
}

function readBare(text: string, start: number): ReadList {
  const ids: string[] = [];
  const begin = skip(START, text, start) ?? start;
  // Bulleted from the first item on, or only once an item has been read.
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
