import { queryTerms } from '../language/analysis.ts';
import { keywordsIn } from '../language/keywords.ts';
import { otherWords } from '../language/other-words.ts';
import { remembering } from '../language/remembering.ts';
import { isInSyllables } from '../language/script.ts';
import { subjectTerms } from '../language/subject.ts';
import { SPELLINGS } from '../language/tables/spellings.ts';
import { type Frequencies, informationOf } from '../ranking/similarity.ts';
import { UNHEARD_DOCUMENTS } from '../ranking/weights.ts';

/** Words read of a sentence. */
export const WORDS = 60;

/**
 * A word by its terms in the index, and by those of its other names: Postgres, and what the tables call it in the other
 * language.
 */
export interface Word {
  word: string;
  terms: string[];
  others: string[][];
  weight: number;
}

/** The share of these words that a text has, by any of their names. */
export function share(words: readonly Word[], terms: ReadonlySet<string>): number {
  const part = (word: Word) =>
    word.others.some((each) => each.every((term) => terms.has(term)))
      ? 1
      : word.terms.filter((term) => terms.has(term)).length / word.terms.length;
  const found = words.reduce((sum, word) => sum + word.weight * part(word), 0);
  return words.length === 0 ? 0 : found / massOf(words);
}

const namesOf = remembering((word) => SPELLINGS.find((each) => each.includes(word)) ?? []);
export const isWhole = ({ terms }: Word, among: ReadonlySet<string>) =>
  terms.every((term) => among.has(term));
export const massOf = (words: readonly Word[]) => words.reduce((sum, { weight }) => sum + weight, 0);
export const termsOf = (text: string) => queryTerms(text.replace(/[:/_-]/g, ' '));
export const termsOfWord = remembering(queryTerms);
const subjectOf = remembering((word) => [...subjectTerms(word).keys()]);

export function wordsOf(text: string, { documents, of }: Frequencies): Word[] {
  const isKorean = isInSyllables(text);
  const called = new Map(otherWords(text).map(({ terms, others }) => [terms.join(' '), others]));
  return keywordsIn(text, WORDS).flatMap((word) => {
    const terms = subjectOf(word);
    if (terms.length === 0) return [];
    const others = called.get(termsOfWord(word).join(' ')) ?? [];
    const foreign = others.filter((each) => isInSyllables(each) !== isKorean);
    const names = [...foreign, ...namesOf(word)];
    const found = Math.min(...terms.map((term) => of.get(term) ?? 0));
    return [
      {
        word,
        terms,
        others: names.map(termsOfWord),
        weight: informationOf(found, documents + UNHEARD_DOCUMENTS),
      },
    ];
  });
}
