import type { Reference } from './edge.ts';

/** What reasoning text says about other decisions, and what in it could not be read (G-2 … G-6, G-9). */
export interface ParsedReasoning {
  references: { relationship: Reference; id: string }[];
  warnings: string[];
}

const DECORATION = '[*_`"\'“”‘’]*';
const KEY = `(?<![A-Za-z0-9]_?)(builds\\\\?_on|debates|synthesizes)${DECORATION}`;
const UUID_TAIL = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![0-9a-z-])';
const ID = `(?:decision_${UUID_TAIL}|decision_\\w+|${UUID_TAIL})`;

/** A relation word and its colon; or, mistaken, a relation word followed at once by an id. */
const PATTERN = new RegExp(
  `${KEY}(?:\\s*[:：]${DECORATION}[^\\S\\n]*|[^\\S\\n]+(?=${DECORATION}${ID}))`,
  'gi',
);
/** One id with what markdown, quotes or brackets put around it. */
const ITEM = new RegExp(`[*_\`"'“”‘’(<{#]*(${ID})[*_\`"'“”‘’)>}]*`, 'iy');
/** A line break counts as a separator only before a list bullet, so that prose on the next line is prose. */
const BULLET = /[^\S\n]*\n\s*(?:[-*•]|\d+[.)])\s+/y;
/** Commas, conjunctions and Korean particles between two ids of a bare list. */
const SEPARATOR =
  /(?:[을를은는이가의도]?[^\S\n]*(?:[,;、，/&+]\s*(?:(?:and|및|그리고)\s+)?|(?:and|및|그리고|와|과|랑|하고)\s+)|[^\S\n]+)/iy;
const LOOKS_LIKE_ID = /^[*_`"'“”‘’(<{#]*(?:decision[-_:\d]\S*|[0-9a-f]+-[0-9a-f]+-\S*)/i;
const LIST_SEPARATORS = /[,;、，\s]+/;
const SHOWN_CHARACTERS = 40;

/**
 * Reads `builds_on:`, `debates:` and `synthesizes:` in reasoning text: bare or bracketed lists, bold or quoted
 * keys, any letter case, ids with particles or punctuation glued on. Never throws; what cannot be read is
 * left out and named in `warnings` (G-6). Time grows linearly with the text.
 */
export function parseReasoning(text: string): ParsedReasoning {
  const found = new Map<string, { relationship: Reference; id: string }>();
  const warnings: string[] = [];
  const pattern = new RegExp(PATTERN);
  for (let key = pattern.exec(text); key; key = pattern.exec(text)) {
    const relationship = (key[1] as string).toLowerCase().replace('\\', '') as Reference;
    const read = readReferences(text, pattern.lastIndex, key[0].includes(':') || key[0].includes('：'));
    for (const id of read.ids) found.set(`${relationship} ${id.toLowerCase()}`, { relationship, id });
    for (const problem of read.problems) warnings.push(`${relationship}: ${problem} It was ignored.`);
    pattern.lastIndex = Math.max(read.end, pattern.lastIndex);
  }
  return { references: [...found.values()], warnings };
}

interface ReadList {
  ids: string[];
  problems: string[];
  end: number;
}

function readReferences(text: string, start: number, hasColon: boolean): ReadList {
  if (!hasColon) {
    return { ids: [], problems: ['expected a colon before the decision id, found none.'], end: start };
  }
  const opening = /\s*\[/y;
  opening.lastIndex = start;
  return opening.test(text) ? readBracketed(text, opening.lastIndex) : readBare(text, start);
}

function readBracketed(text: string, start: number): ReadList {
  const close = text.indexOf(']', start);
  const nextOpen = text.indexOf('[', start);
  if (close === -1 || (nextOpen !== -1 && nextOpen < close)) {
    return { ids: [], problems: ['expected a list closed by "]", found none.'], end: start };
  }
  const ids: string[] = [];
  const problems: string[] = [];
  for (const item of text.slice(start, close).split(LIST_SEPARATORS).filter(isListItem)) {
    const id = readItem(item, 0);
    if (id) ids.push(id.id);
    else problems.push(notAnId(item));
  }
  if (ids.length + problems.length === 0) problems.push('expected decision ids in the list, found none.');
  return { ids, problems, end: close + 1 };
}

function readBare(text: string, start: number): ReadList {
  const ids: string[] = [];
  const problems: string[] = [];
  let end = start;
  let next = skip(BULLET, text, start) ?? start;
  for (;;) {
    const item = readItem(text, next);
    if (!item) break;
    ids.push(item.id);
    end = item.end;
    const after = skip(BULLET, text, end) ?? skip(SEPARATOR, text, end);
    if (after === undefined) return { ids, problems, end };
    next = after;
  }
  const rest = text.slice(next, next + 200);
  if (ids.length === 0) problems.push(notAnId(rest.split('\n')[0] ?? ''));
  else if (LOOKS_LIKE_ID.test(rest)) problems.push(notAnId(rest.split(/\s/)[0] ?? ''));
  return { ids, problems, end };
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

function isListItem(item: string): boolean {
  return item !== '' && !/^(?:and|및|그리고|[-*•])$/i.test(item);
}

function notAnId(found: string): string {
  const shown = [...found.trim()].slice(0, SHOWN_CHARACTERS).join('');
  return `expected a decision id (a UUID or decision_…), found ${shown === '' ? 'nothing' : `"${shown}"`}.`;
}
