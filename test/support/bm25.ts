import { stemmer } from '@orama/stemmers/english';
import { stopwords } from '@orama/stopwords/english';

/** The constants of Codex's search of tools; with them it ranks tools as it does. */
const K1 = 1.2;
const B = 0.75;

/** The words of a text as that search compares them: by Unicode's rules, in lower case, stemmed, without stop words. */
function terms(text: string): string[] {
  const segments = new Intl.Segmenter('en', { granularity: 'word' }).segment(text.toLowerCase());
  const words = [...segments].filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment);
  return words.filter((word) => !stopwords.includes(word)).map((word) => stemmer(word));
}

/**
 * Ranks documents by BM25.
 * @param documents their texts by name
 * @returns the names of those that hold a word of the query, the best first
 */
export function bm25(documents: Map<string, string>, query: string): string[] {
  const all = [...documents].map(([name, text]) => ({ name, words: terms(text) }));
  const average = all.reduce((sum, { words }) => sum + words.length, 0) / all.length;
  const weightOf = (term: string) => {
    const holding = all.filter(({ words }) => words.includes(term)).length;
    return Math.log(1 + (all.length - holding + 0.5) / (holding + 0.5));
  };
  const scored = all.map(({ name, words }) => ({
    name,
    score: terms(query).reduce((sum, term) => {
      const count = words.filter((word) => word === term).length;
      const length = 1 - B + (B * words.length) / average;
      return sum + (weightOf(term) * count * (K1 + 1)) / (count + K1 * length);
    }, 0),
  }));
  return scored
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ name }) => name);
}
