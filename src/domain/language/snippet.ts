import { cut } from '../text/sentence.ts';
import { queryTerms } from './analysis.ts';

/** Characters shown before and after the first word that matches. */
const BEFORE = 40;
const AFTER = 80;
/** Places looked at for each term. */
const PLACES = 8;
/** Terms whose places are searched for: the first of those that the text has. A long question has thousands. */
const TERMS = 32;

/**
 * The words around the place of a text that tells the most about a question (W-3), on one line.
 * @param weights what each term of the question tells, as {@link queryTerms} makes the terms, the rarest first
 * @returns undefined when no term is found. A stemmed term that does not begin its word ("went", "go") is not.
 */
export function snippet(text: string, weights: ReadonlyMap<string, number>): string | undefined {
  const lower = text.toLowerCase();
  // Lower case has another length in a few alphabets: places would be wrong.
  const searched = lower.length === text.length ? lower : text;
  let best: { at: number; weight: number } | undefined;
  for (const at of placesOfRarest(weights, searched)) {
    const weight = weightAt(text, at, weights);
    if (weight > (best?.weight ?? 0)) best = { at, weight };
  }
  return best && around(text, best.at);
}

function placesOfRarest(weights: ReadonlyMap<string, number>, text: string): number[] {
  const places: number[][] = [];
  for (const term of weights.keys()) {
    const found = placesOf(term, text);
    if (found.length > 0) places.push(found);
    if (places.length === TERMS) break;
  }
  return places.flat();
}

function placesOf(term: string, text: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(term); at !== -1 && places.length < PLACES; at = text.indexOf(term, at + 1)) {
    places.push(at);
  }
  return places;
}

function weightAt(text: string, at: number, weights: ReadonlyMap<string, number>): number {
  const terms = queryTerms(text.slice(wordStart(text, at), at + AFTER));
  return terms.reduce((sum, term) => sum + (weights.get(term) ?? 0), 0);
}

/** The start of the word that contains a place. */
function wordStart(text: string, at: number): number {
  let start = at;
  while (start > 0 && at - start < BEFORE && /[\p{L}\p{N}]/u.test(text[start - 1] as string)) start--;
  return start;
}

/** Within a line: the next one may be another field of the record (T-3). */
function around(text: string, at: number): string {
  const first = text.lastIndexOf('\n', at) + 1;
  const from = Math.max(first, at - BEFORE);
  // A word that is cut in two is left out.
  const start = from === first ? first : from + (text.slice(from, at).search(/\s/) + 1);
  const [shown = ''] = text.slice(start, at + AFTER + BEFORE).split('\n', 1);
  return `${start > first ? '…' : ''}${cut(shown.replace(/\s+/g, ' ').trim(), BEFORE + AFTER)}`;
}
