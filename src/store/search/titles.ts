import { queryTerms } from '../../domain/language/analysis.ts';
import type { Tx } from '../tx.ts';
import { everyDocument } from './documents.ts';
import { bestHits } from './hits.ts';

/** Records looked at for a word: a title weighs more than other text, so that one with the word is among the best. */
const LOOKED_AT = 5;

/** Those of these words that stand in the topic of a decision or the title of an observation. */
export async function wordsInTitles(tx: Tx, words: string[]): Promise<Set<string>> {
  const found = new Set<string>();
  for (const word of words) {
    const terms = queryTerms(word);
    if (terms.length === 0) continue;
    const hits = await bestHits(tx, terms, LOOKED_AT);
    const documents = await everyDocument(
      tx,
      hits.map(({ seq }) => seq),
    );
    const isIn = ({ title }: { title: string }) => {
      const held = new Set(queryTerms(title));
      return terms.every((term) => held.has(term));
    };
    if (documents.some(isIn)) found.add(word);
  }
  return found;
}
