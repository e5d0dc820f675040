import { queryTerms } from '../../domain/language/analysis.ts';
import { mistypable, nearTerms } from '../../domain/language/near.ts';
import { type Frequencies, rarestTerms, similarity } from '../../domain/ranking/similarity.ts';
import { FOUND_TERMS, MISTYPED, NEAR_TERMS, QUERY_TERMS } from '../../domain/ranking/weights.ts';
import { Pauses, STRETCH, stretchesOf } from '../pauses.ts';
import type { Tx } from '../tx.ts';
import type { Eligible } from './hits.ts';

/** A question as the text index is asked. */
export interface Question {
  /** What was asked, as it was given. */
  text: string;
  /** Its terms that are looked for: the rarest that records have, the rarest first. */
  found: string[];
  /** Terms that no record has, at most as many: the part of the question that no record can answer. */
  missing: string[];
  frequencies: Frequencies;
  /** It has text, but no record has any of its terms. */
  findsNothing: boolean;
}

/**
 * Reads a question. All of its terms are counted; what is done with each text afterwards is done for a few of them, however
 * long the question is (Z-5).
 * @param asGiven whether a word that no record has is left as it is, not taken for a typing error
 */
export async function readQuestion(tx: Tx, query: string | undefined, asGiven = false): Promise<Question> {
  const text = query?.trim() ?? '';
  const given = queryTerms(text);
  const counted = await tx.text.frequencies(tx.db, given);
  const isMissing = (term: string) => (counted.of.get(term) ?? 0) === 0;
  const near = asGiven ? new Map<string, string[]>() : await nearOf(tx, text, isMissing);
  const terms = [...new Set(given.flatMap((term) => near.get(term) ?? [term]))];
  const frequencies = near.size === 0 ? counted : await tx.text.frequencies(tx.db, terms);
  const found = rarestTerms(terms, frequencies, FOUND_TERMS);
  const missing = terms.filter((term) => (frequencies.of.get(term) ?? 0) === 0).slice(0, QUERY_TERMS);
  return { text, found, missing, frequencies, findsNothing: text !== '' && found.length === 0 };
}

/**
 * What those terms of a text may have been meant for that no record has: the most frequent terms one typing error away, by
 * the term. The variants are looked up, so that it costs no more in a large memory.
 */
async function nearOf(
  tx: Tx,
  text: string,
  isMissing: (term: string) => boolean,
): Promise<Map<string, string[]>> {
  const words = mistypable(text).filter(({ term }) => isMissing(term));
  const asked = words.slice(0, MISTYPED).map(({ word, term }) => ({ term, near: nearTerms(word) }));
  if (asked.length === 0) return new Map();
  const variants = new Set(asked.flatMap(({ near }) => [...near]));
  const frequencies = await tx.text.frequencies(tx.db, [...variants]);
  const known = asked.map(({ term, near }) => [term, commonest([...near], frequencies)] as const);
  return new Map(known.filter(([, near]) => near.length > 0));
}

function commonest(terms: string[], frequencies: Frequencies): string[] {
  return rarestTerms(terms, frequencies, terms.length).slice(-NEAR_TERMS);
}

/**
 * The question with the terms to look for, a batch at a time: the rarest, then, when those find nothing because they stand only
 * in records of another kind, the rarest that can find something. A question without text has one empty batch, which lists
 * the newest.
 */
export async function* batchesOf(tx: Tx, asked: Question, eligible: Eligible): AsyncGenerator<Question> {
  yield { ...asked, found: asked.found.slice(0, QUERY_TERMS) };
  const rest = asked.found.slice(QUERY_TERMS);
  const pauses = new Pauses();
  for (const some of stretchesOf(rest, (term) => LOOKED_UP * (asked.frequencies.of.get(term) ?? 0))) {
    await pauses.before(STRETCH.rows, 0);
    const first = await tx.text.firstIn(tx.db, some, eligible);
    if (first === undefined) continue;
    const from = rest.indexOf(first);
    const start = from - (from % QUERY_TERMS);
    yield { ...asked, found: rest.slice(start, start + QUERY_TERMS) };
    return;
  }
}
/** Characters of a text that are read in the time in which a record is looked up. */
const LOOKED_UP = 8;

/** The share of the question that each of a few documents answers, by `seq`. */
export async function similaritiesOf(
  tx: Tx,
  seqs: number[],
  { found, missing, frequencies }: Question,
): Promise<Map<number, number>> {
  const matched = await tx.text.termsIn(tx.db, seqs, found);
  const wanted = [...found, ...missing];
  return new Map(seqs.map((seq) => [seq, similarity(wanted, matched.get(seq) ?? new Set(), frequencies)]));
}
