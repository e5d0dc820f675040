import { queryTerms } from '../../domain/language/analysis.ts';
import { type Frequencies, rarestTerms, similarity } from '../../domain/ranking/similarity.ts';
import { QUERY_TERMS } from '../../domain/ranking/weights.ts';
import type { Tx } from '../tx.ts';

/** A question as the text index is asked. */
export interface Question {
  /** Its distinct terms. */
  terms: string[];
  /**
   * Terms to look for, the rarest first. A search asks the next batch when one finds nothing, since rare words may
   * stand only in records of another kind. A question without text has one empty batch, which lists the newest.
   */
  batches: string[][];
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
  const batches = [found.slice(0, QUERY_TERMS)];
  for (let from = QUERY_TERMS; from < found.length; from += QUERY_TERMS) {
    batches.push(found.slice(from, from + QUERY_TERMS));
  }
  const missing = terms.filter((term) => (frequencies.of.get(term) ?? 0) === 0);
  return { terms, batches, missing, frequencies, findsNothing: text !== '' && found.length === 0 };
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
