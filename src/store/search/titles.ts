import { queryTerms } from '../../domain/language/analysis.ts';
import type { Tx } from '../tx.ts';
import { everyDocument } from './documents.ts';
import { bestRecords } from './hits.ts';

/** Records looked at for a word: a title weighs more than other text, so that one with the word is among the best. */
const LOOKED_AT = 5;

/** Those of these words that stand in the topic of a decision or the title of an observation. */
export async function wordsInTitles(tx: Tx, words: string[]): Promise<Set<string>> {
  const asked: { word: string; terms: string[]; seqs: number[] }[] = [];
  for (const word of words) {
    const terms = queryTerms(word);
    const records = terms.length > 0 ? await bestRecords(tx, terms, LOOKED_AT) : [];
    if (records.length > 0) asked.push({ word, terms, seqs: records.map(({ seq }) => seq) });
  }
  const documents = await everyDocument(tx, [...new Set(asked.flatMap(({ seqs }) => seqs))]);
  const titles = new Map(documents.map(({ seq, title }) => [seq, new Set(queryTerms(title))]));
  const isInTitle = ({ terms, seqs }: { terms: string[]; seqs: number[] }) =>
    seqs.some((seq) => terms.every((term) => titles.get(seq)?.has(term)));
  return new Set(asked.filter(isInTitle).map(({ word }) => word));
}
