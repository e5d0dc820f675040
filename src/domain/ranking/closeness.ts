import { type Frequencies, informationOf, rarestTerms } from './similarity.ts';
import {
  AREA_WEIGHT,
  COMMON,
  FEW,
  LARGE_SHARE,
  RARE,
  REASONING_WEIGHT,
  SIMILAR_DOCUMENTS,
  SIMILAR_TERMS,
  UNHEARD_DOCUMENTS,
} from './weights.ts';

/** The weight of a text's words, by term: 1 for a whole word that counts in full. */
export type Weights = ReadonlyMap<string, number>;

/** The words of a decision by their place, each with the share of a word that it is. */
export interface Wording {
  /** The topic before its last part: `auth` of `auth:session`. */
  area: Weights;
  /** The last part of the topic. */
  name: Weights;
  text: Weights;
  reasoning: Weights;
}

/**
 * The weight of each word of a decision: that of its place, the greatest of several places. All reasoning together
 * weighs no more than the rest, so that one who explains at length is not far from everybody.
 */
export function weigh({ area, name, text, reasoning }: Wording): Weights {
  const said = mass(name) + mass(text);
  const balance = Math.min(1, Math.sqrt(said / Math.max(mass(reasoning), 1)));
  const weights = new Map<string, number>();
  const places: [Weights, number][] = [
    [name, 1],
    [text, 1],
    [area, AREA_WEIGHT],
    [reasoning, REASONING_WEIGHT * balance],
  ];
  for (const [words, weight] of places) {
    for (const [term, share] of words) {
      weights.set(term, Math.max(weights.get(term) ?? 0, weight * share));
    }
  }
  return weights;
}

/** How many words these are. */
function mass(words: Weights): number {
  return [...words.values()].reduce((sum, share) => sum + share ** 2, 0);
}

/**
 * How close two decisions are, 0 to 1: the cosine of their words, each counted by its weight and its information, to
 * three decimal places. 1 for the same words.
 * @param frequencies of the terms of `one`, counted up to `COMMON`: a term that reaches it tells nothing. Other terms
 *   of `other` count as rare, so that nobody has to count them
 */
export function closeness(one: Weights, other: Weights, frequencies: Frequencies): number {
  const documents = frequencies.documents + UNHEARD_DOCUMENTS;
  const information = (term: string) => {
    const found = frequencies.of.get(term) ?? RARE;
    return found < COMMON ? informationOf(found, documents) : 0;
  };
  let shared = 0;
  for (const [term, weight] of one) shared += weight * (other.get(term) ?? 0) * information(term) ** 2;
  const squares = (weights: Weights) =>
    [...weights].reduce((sum, [term, weight]) => sum + (weight * information(term)) ** 2, 0);
  const most = Math.sqrt(squares(one) * squares(other));
  return most === 0 ? 0 : Math.round((shared / most) * 1000) / 1000;
}

/**
 * The terms to look for: the rarest, as long as all of them together are in few documents, so that looking costs the
 * same in a memory of any size. A term that is in a large share of the documents finds nothing by itself.
 * @param frequencies in documents other than those of the decision itself, counted up to `COMMON`
 */
export function tellingTerms(terms: Iterable<string>, frequencies: Frequencies): string[] {
  const large = Math.max(FEW, LARGE_SHARE * frequencies.documents);
  const rarest = rarestTerms([...terms], frequencies, SIMILAR_TERMS);
  let documents = 0;
  return rarest.filter((term) => {
    const found = frequencies.of.get(term) ?? 0;
    documents += found;
    return found < COMMON && found <= large && documents <= SIMILAR_DOCUMENTS;
  });
}
