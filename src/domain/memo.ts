import { compareText, countCharacters, LIMITS } from './text/text.ts';

/** A note about keywords, explored one step further on each request. */
export interface Memo {
  /** UUID v4. */
  id: string;
  summary: string;
  fullText: string;
  /** Always `Memo`; the field leaves room for other sources of `_Info` nodes (M-7). */
  source: string;
  /** Steps taken so far; 1 after creation (M-3). */
  searchDepth: number;
  /** Milliseconds UTC. */
  createdAt: number;
}

export const MEMO_SOURCE = 'Memo';
/** A step finds this many keywords at most (M-4, M-5). */
export const STEP_LIMIT = 5;

/** A keyword that a step could find, and the connection that leads to it. */
export interface Candidate<Key> {
  keyword: Key;
  name: string;
  via: Key;
  viaName: string;
  /** The sum over all relations between the two, in tenths. */
  strength: number;
  /** When they were last connected, milliseconds UTC. */
  connectedAt: number;
}

/**
 * The keywords that a step finds (M-5): the strongest connection first, then the newest, then by name; each keyword
 * once, over its best connection.
 */
export function chooseStep<Key>(candidates: Candidate<Key>[], limit: number): Candidate<Key>[] {
  const found = new Map<Key, Candidate<Key>>();
  for (const candidate of candidates.toSorted(byConnection)) {
    if (found.size === limit) break;
    if (!found.has(candidate.keyword)) found.set(candidate.keyword, candidate);
  }
  return [...found.values()];
}

function byConnection(a: Candidate<unknown>, b: Candidate<unknown>): number {
  return (
    b.strength - a.strength ||
    b.connectedAt - a.connectedAt ||
    compareText(a.name, b.name) ||
    compareText(a.viaName, b.viaName)
  );
}

/** The summary of a memo that was saved without one (M-2): its text, or its first sentences when it is long. */
export function summarize(text: string): string {
  const plain = text.trim().replace(/\s+/g, ' ');
  const sentences = fitting(plain, 'sentence', LIMITS.memoSummary);
  if (sentences !== '') return sentences;
  const room = LIMITS.memoSummary - 1;
  // One drawn character may be longer than the limit.
  return `${fitting(plain, 'grapheme', room) || [...plain].slice(0, room).join('')}…`;
}

/** As many whole segments from the start of a text as fit the limit. */
function fitting(text: string, granularity: 'sentence' | 'grapheme', limit: number): string {
  const segmenter = new Intl.Segmenter('ko', { granularity });
  let kept = '';
  let characters = 0;
  for (const { segment } of segmenter.segment(text)) {
    characters += countCharacters(segment.trimEnd());
    if (characters > limit) break;
    kept += segment;
    characters += countCharacters(segment) - countCharacters(segment.trimEnd());
  }
  return kept.trim();
}
