import { BARE_ID, ID, type Item, SIGNS } from './item.ts';
import { readReferences } from './list.ts';
import type { NearLink, WrittenReference } from './reference.ts';
import { capped } from './warnings.ts';
import { ANY_WORD, linkOf, nearLinkOf } from './words.ts';

/** The links of a reasoning to other decisions (G-2 … G-6, G-9, G-10). */
export interface ParsedReasoning {
  references: WrittenReference[];
  nearLinks: NearLink[];
  /** Parts that could not be read. */
  warnings: string[];
  /** The text besides the links: relation words, ids, and topics used as links are not words (W-2). */
  prose: string;
}

/**
 * A relation word and its colon (group 2): `builds_on:`, `**Debates**:`, `<b>builds_on</b>:`, `synthesizes는：`. Or, by
 * mistake, one that makes a link, and an id without a colon: `builds_on decision_a`. A line of a quotation, `> …`, is passed
 * over whole: somebody else's words link nothing (LB-4).
 */
const KEY = new RegExp(
  `^[^\\S\\n]*>.*|(?<![A-Za-z0-9]_?)(${ANY_WORD})(?:</\\w+>)?[${SIGNS}]*[\\p{Script=Hangul}]{0,2}` +
    `(?:\\s*([:：])(?:[${SIGNS}]+(?=\\s|$))?|[^\\p{L}\\p{N}\\n:：]{1,12}(?=${ID}))`,
  'gimu',
);
/** A link as results show it, `infra:redis (3a2ee091)` or `infra:redis@2 (3a2ee091)`: the id says which version is meant. */
const AS_SHOWN =
  /(?<=^|[\s,;([])[^\s,;()[\]:@]{1,100}[:@][^\s,;()[\]]{1,150} \(([0-9a-f]{8}[0-9a-f-]{0,28}|decision_\w+)\)/g;
/** Part of every text that has a link or an id: all of any other text is prose. */
const LIKELY = new RegExp(`${ANY_WORD}|decision_|[0-9a-f]{8}-|\u017f`);
const WORDS = /[\p{L}\p{N}]/u;
const ID_ANYWHERE = new RegExp(BARE_ID, 'iu');
const IDS_ANYWHERE = new RegExp(BARE_ID, 'giu');

/**
 * Reads `builds_on:`, `debates:` and `synthesizes:` in reasoning text: bare, bracketed or bulleted lists, bold or
 * quoted keys, any letter case, references with particles or punctuation attached. It never throws: a reference that
 * cannot be read is left out and named in `warnings` (G-6).
 */
export function parseReasoning(reasoning: string): ParsedReasoning {
  // Markdown escapes underscores.
  const text = reasoning.replaceAll('\\_', '_').replace(AS_SHOWN, '$1');
  if (!LIKELY.test(text.toLowerCase()))
    return { references: [], nearLinks: [], warnings: [], prose: text.trim() };
  const references = new Map<string, WrittenReference>();
  const nearLinks: NearLink[] = [];
  const warnings: string[] = [];
  const links: [start: number, end: number][] = [];
  const keys = new RegExp(KEY);
  for (let key = keys.exec(text); key; key = keys.exec(text)) {
    const word = key[1];
    if (word === undefined) continue;
    const relationship = linkOf(word);
    const start = keys.lastIndex;
    const { items, problems, end } = key[2] ? readReferences(text, start) : withoutColon(start);
    if (relationship) {
      for (const { written, mayBeTopic } of items) {
        const name = `${relationship} ${mayBeTopic} ${written.toLowerCase()}`;
        const isAside = /^alongside$/i.test(word) && (references.get(name)?.isAside ?? !references.has(name));
        references.set(name, { relationship, written, mayBeTopic, ...(isAside && { isAside }) });
      }
      for (const problem of problems) warnings.push(`${relationship}: ${problem} It was ignored.`);
    } else {
      const near = text[key.index - 1] === '-' ? undefined : toNearLink(word, items);
      if (near) nearLinks.push(near);
      if (!near?.isCertain) continue;
    }
    links.push([key.index, start], ...items.map((item): [number, number] => [item.start, item.end]));
    keys.lastIndex = Math.max(end, start);
  }
  return {
    references: [...references.values()],
    nearLinks,
    warnings: capped(warnings),
    prose: without(links, text).replace(IDS_ANYWHERE, ' ').trim(),
  };
}

function withoutColon(end: number): ReturnType<typeof readReferences> {
  return { items: [], problems: ['expected a colon before the decision id, found none.'], end };
}

function toNearLink(word: string, items: Item[]): NearLink | undefined {
  const near = nearLinkOf(word);
  if (!near || items.length === 0) return undefined;
  const isCertain = near.isUnmistakable || items.some(({ written }) => ID_ANYWHERE.test(written));
  const references = items.map(({ written, mayBeTopic }) => ({ written, mayBeTopic }));
  return { word, meant: near.meant, references, isCertain };
}

/** A text without these parts, which come in order, and without the signs that are left alone between them. */
function without(parts: [start: number, end: number][], text: string): string {
  if (parts.length === 0) return text;
  const left: string[] = [];
  let end = 0;
  for (const part of parts) {
    left.push(text.slice(end, part[0]));
    end = part[1];
  }
  return [...left, text.slice(end)].filter((part) => WORDS.test(part)).join(' ');
}
