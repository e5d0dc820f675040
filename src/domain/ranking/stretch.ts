import { STRETCH, STRETCH_TOKENS } from './weights.ts';

/** A record's tokens in their order, separated by spaces. */
export interface Tokens {
  title: string;
  body: string;
}

/** The best stretch of a record for a question. */
export interface Stretch {
  /** The question's terms in its title, and in those words of its body, one after the other, that answer the most. */
  within: ReadonlySet<string>;
  /** How many words it has; of a long body the first tokens count (`STRETCH_TOKENS`). */
  words: number;
}

/**
 * The stretch of a record (`STRETCH` words) that answers the most of a question: a long record that scatters the words of
 * a question says less of it than one that has them together (S-4).
 *
 * A search does this for a hundred records. So the few terms are looked for among the tokens, which JavaScript does by
 * itself, and not each token among the terms: 30,000 steps that a process which has just begun interprets one by one.
 * @param weights what each term of the question tells
 * @param wordsOf how many words a token is that has a syllable in it; any other is one
 */
export function bestStretch(
  { title, body }: Tokens,
  weights: ReadonlyMap<string, number>,
  wordsOf: (token: string) => number,
): Stretch {
  const inTitle = split(title);
  const tokens = split(body, STRETCH_TOKENS);
  const named = new Set(inTitle.filter((token) => weights.has(token)));
  const others = [...weights.keys()].filter((term) => !named.has(term) && tokens.includes(term));
  const starts = HAS_SYLLABLES.test(body) ? startsOf(tokens, wordsOf) : undefined;
  const words = starts?.at(-1) ?? tokens.length;
  const isOneStretch = others.length < 2 || words <= STRETCH;
  const densest = isOneStretch ? others : densestOf(others.length, placesOf(others, tokens, starts), weights);
  const inAll = inTitle.reduce((sum, token) => sum + wordsOf(token), 0) + words;
  return { within: new Set([...named, ...densest]), words: inAll };
}

const split = (text: string, most?: number): string[] => (text === '' ? [] : text.split(' ', most));

/** Some of these characters make tokens that are not a whole word; in a text without them, every token is one. */
const HAS_SYLLABLES = /[\u1100-\uffff]/;

/** How many words are before each token, and before what follows the last one. */
function startsOf(tokens: string[], wordsOf: (token: string) => number): number[] {
  const starts = [0];
  let words = 0;
  for (const token of tokens) {
    words += wordsOf(token);
    starts.push(words);
  }
  return starts;
}

/** Where a term of the question is, in words from the beginning. */
interface Place {
  term: string;
  at: number;
}

/** Each place of these terms, from the beginning. @param starts default: each token is a word */
function placesOf(terms: string[], tokens: string[], starts: number[] | undefined): Place[] {
  const places: Place[] = [];
  for (const term of terms)
    for (let at = tokens.indexOf(term); at >= 0; at = tokens.indexOf(term, at + 1))
      places.push({ term, at: starts?.[at] ?? at });
  return places.sort((a, b) => a.at - b.at);
}

/**
 * The terms of the window that tell the most together; the first of equal ones. None tells more than one with all of them.
 * @param all how many terms have a place
 */
function densestOf(all: number, places: Place[], weights: ReadonlyMap<string, number>): ReadonlySet<string> {
  let best: ReadonlySet<string> = new Set();
  let most = 0;
  for (let first = 0; first < places.length && best.size < all; first++) {
    const end = (places[first] as Place).at + STRETCH;
    const window = new Set<string>();
    let covered = 0;
    for (let next = first; next < places.length; next++) {
      const { term, at } = places[next] as Place;
      if (at >= end) break;
      if (window.has(term)) continue;
      window.add(term);
      covered += weights.get(term) ?? 0;
      if (window.size === all) break;
    }
    if (covered > most) [best, most] = [window, covered];
  }
  return best;
}
