import { STRETCH } from './weights.ts';

/** A record's tokens in their order; of a long body only the first (`STRETCH_TOKENS`). */
export interface Tokens {
  title: string[];
  body: string[];
}

/** What a record answers with. */
export interface Stretch {
  /** The question's terms in its title, and in those words of its body, one after the other, that answer the most. */
  within: ReadonlySet<string>;
  /** How many words it has. */
  words: number;
}

/**
 * The stretch of a record (`STRETCH` words) that answers the most of a question: a long record that scatters the words of
 * a question says less of it than one that has them together (S-4).
 * @param weights what each term of the question tells
 * @param wordsOf how many words a token is
 */
export function bestStretch(
  { title, body }: Tokens,
  weights: ReadonlyMap<string, number>,
  wordsOf: (token: string) => number,
): Stretch {
  const named = new Set(title.filter((token) => weights.has(token)));
  const places: Place[] = [];
  let words = 0;
  for (const token of body) {
    if (weights.has(token) && !named.has(token)) places.push({ term: token, at: words });
    words += wordsOf(token);
  }
  const inTitle = title.reduce((sum, token) => sum + wordsOf(token), 0);
  return { within: new Set([...named, ...densest(places, weights)]), words: inTitle + words };
}

/** Where a term of the question stands, in words from the beginning. */
interface Place {
  term: string;
  at: number;
}

/** The terms of the window that tell the most together; the first of equal ones. None tells more than one with all of them. */
function densest(places: Place[], weights: ReadonlyMap<string, number>): ReadonlySet<string> {
  const all = new Set(places.map(({ term }) => term)).size;
  let best: ReadonlySet<string> = new Set();
  let most = 0;
  for (let first = 0; first < places.length && best.size < all; first++) {
    const end = (places[first] as Place).at + STRETCH;
    const window = new Set<string>();
    let told = 0;
    for (let next = first; next < places.length; next++) {
      const { term, at } = places[next] as Place;
      if (at >= end) break;
      if (window.has(term)) continue;
      window.add(term);
      told += weights.get(term) ?? 0;
      if (window.size === all) break;
    }
    if (told > most) [best, most] = [window, told];
  }
  return best;
}
