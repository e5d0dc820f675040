import { queryTerms } from '../../domain/language/analysis.ts';
import { type Frequencies, rarestTerms, similarity } from '../../domain/ranking/similarity.ts';
import { QUERY_TERMS } from '../../domain/ranking/weights.ts';
import type { Tx } from '../tx.ts';
import type { Eligible } from './hits.ts';

/** A question as the text index is asked. */
export interface Question {
  /** Its distinct terms. */
  terms: string[];
  /** Those that a record has, the rarest first. */
  found: string[];
  /** Terms that no record has: the part of the question that no record can answer. */
  missing: string[];
  frequencies: Frequencies;
  /** It has text, but no record has any of its terms. */
  findsNothing: boolean;
}

export async function readQuestion(tx: Tx, query: string | undefined): Promise<Question> {
  const text = query?.trim() ?? '';
  const terms = queryTerms(text);
  const frequencies = await tx.text.frequencies(tx.db, terms);
  const found = rarestTerms(terms, frequencies, terms.length);
  const missing = terms.filter((term) => (frequencies.of.get(term) ?? 0) === 0);
  return { terms, found, missing, frequencies, findsNothing: text !== '' && found.length === 0 };
}

/**
 * The terms to look for, a batch at a time: the rarest, then, when those find nothing because they stand only in records
 * of another kind, the rarest that can find something. A question without text has one empty batch, which lists the newest.
 */
export async function* batchesOf(
  tx: Tx,
  { found }: Pick<Question, 'found'>,
  eligible: Eligible,
): AsyncGenerator<string[]> {
  yield found.slice(0, QUERY_TERMS);
  const rest = found.slice(QUERY_TERMS);
  const first = await tx.text.firstIn(tx.db, rest, eligible);
  if (first === undefined) return;
  const from = rest.indexOf(first);
  const start = from - (from % QUERY_TERMS);
  yield rest.slice(start, start + QUERY_TERMS);
}

/** The share of the question that each of a few documents answers, by `seq`. */
export async function similaritiesOf(
  tx: Tx,
  seqs: number[],
  question: Question,
): Promise<Map<number, number>> {
  const matched = await tx.text.termsIn(tx.db, seqs, question.terms);
  return new Map(
    seqs.map((seq) => [seq, similarity(question.terms, matched.get(seq) ?? new Set(), question.frequencies)]),
  );
}
