import { compareText, countCharacters, LIMITS } from './text.ts';

/** A note about keywords, explored one step further each time that is asked for. */
export interface Memo {
  /** UUID v4. */
  id: string;
  summary: string;
  fullText: string;
  /** Always `Memo`: the seed leaves room for other sources of information nodes. */
  source: string;
  /** Steps taken so far; 1 after creation (M-3). */
  searchDepth: number;
  /** Milliseconds UTC. */
  createdAt: number;
}

export const MEMO_SOURCE = 'Memo';
/** A step finds this many keywords at most (M-4, M-5). */
export const STEP_LIMIT = 5;

/** A keyword that a step could find, and the connection over which it would. */
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
 * What a step finds (M-5): of the neighbours, the strongest connection first, then the newest, then by name; each
 * keyword once, over its best connection.
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

/** A summary for a memo that was given none (M-2): the text when it is short enough, else its first sentences. */
export function summarize(text: string): string {
  const plain = text.trim().replace(/\s+/g, ' ');
  const sentences = fitting(plain, 'sentence', LIMITS.memoSummary);
  if (sentences !== '') return sentences;
  const room = LIMITS.memoSummary - 1;
  // A single drawn character may be longer than that.
  return `${fitting(plain, 'grapheme', room) || [...plain].slice(0, room).join('')}…`;
}

/** As many whole segments from the start as fit. */
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
