import { queryTerms } from './analysis.ts';
import { CAPITALISED } from './identifier.ts';
import { keywordsIn } from './keywords.ts';
import { remembering } from './remembering.ts';

/**
 * Words with which any rule is said, whatever it is about; keywords of a message may well be among them. Units of time
 * go with numbers, which are not keywords.
 */
const OF_RULES = new Set(
  (
    'always every default instead within without via per keep keeps kept uses 기본 이상 이하 미만 넘게 ' +
    'second seconds minute minutes hour hours day days week weeks month months year years 시간 하루'
  ).split(' '),
);

/**
 * The index terms of the words that say what a text is about: its keywords (Korean nouns without particles), without
 * the words of rules. @returns the share of a word that each term is: the squares of the terms of one word add up to 1
 */
export function subjectTerms(text: string): Map<string, number> {
  const shares = new Map<string, number>();
  const written = CAPITALISED.test(text) ? asWritten(text) : undefined;
  for (const word of keywordsIn(text, Number.POSITIVE_INFINITY)) {
    if (OF_RULES.has(word)) continue;
    const terms = termsOf(written?.get(word) ?? word);
    for (const term of terms) shares.set(term, Math.max(shares.get(term) ?? 0, 1 / Math.sqrt(terms.length)));
  }
  return shares;
}

/** The identifiers of a text by their keywords, which are in lower case and say no more what they are made of (T-6). */
const asWritten = (text: string) =>
  new Map((text.match(/[A-Za-z0-9]{2,64}/g) ?? []).map((run) => [run.toLowerCase(), run]));

/** The terms of a word. A syllable by itself is not what the index holds of a longer word, and tells little. */
const termsOf = remembering((word: string) => queryTerms(word).filter((term) => term.length > 1));
