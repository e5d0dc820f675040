import { stemmer } from '@orama/stemmers/english';
import { eng as englishStopWords } from 'stopword';

/** Stored with the index; when it differs from an index's own, the index is rebuilt. Raise it on any change here. */
export const ANALYSIS_VERSION = 2;

/** Longer tokens are shortened, the same way when writing and asking: a database index limits its keys. */
const TOKEN_CHARACTERS = 64;

const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;
/** Signs that only say how the one before is drawn: emoji and variation selectors, joiners, the keycap. */
const DRAWING = /\u20e3|[\u200b-\u200d\u2060]|\p{Variation_Selector}/gu;
const SYLLABIC = '\\p{Script=Hangul}\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}ー々';
const RUN = new RegExp(`[${SYLLABIC}]+|[^${SYLLABIC}]+`, 'gu');
const SYLLABIC_START = new RegExp(`^[${SYLLABIC}]`, 'u');
const LATIN_WORD = /^[\p{Script=Latin}\p{M}]+$/u;
const STOP_WORDS = new Set(englishStopWords);

/**
 * Splits text into the tokens that are indexed and asked for, in order: NFKC and lower case; Latin words
 * stemmed; runs of Hangul, Han or Kana as character bigrams (a run of one as itself). Tokens hold letters,
 * digits and marks only, so that no text can be read as query syntax.
 */
export function analyse(text: string): string[] {
  return words(text).flatMap(tokensOf);
}

/**
 * The distinct tokens of a question, English stop words left out unless nothing else remains.
 * An empty list means that the text has no letter or digit at all.
 */
export function queryTerms(text: string): string[] {
  const all = words(text);
  const telling = all.filter((word) => !STOP_WORDS.has(word));
  return [...new Set((telling.length > 0 ? telling : all).flatMap(tokensOf))];
}

function words(text: string): string[] {
  return text.replace(DRAWING, '').normalize('NFKC').toLowerCase().normalize('NFC').match(WORD) ?? [];
}

function tokensOf(word: string): string[] {
  return (word.match(RUN) ?? []).flatMap((run) => {
    if (SYLLABIC_START.test(run)) return bigrams([...run]);
    const token = LATIN_WORD.test(run) ? stemmer(run) : run;
    return [...token].slice(0, TOKEN_CHARACTERS).join('');
  });
}

function bigrams(characters: string[]): string[] {
  if (characters.length < 2) return characters;
  return characters.slice(1).map((character, index) => (characters[index] as string) + character);
}
