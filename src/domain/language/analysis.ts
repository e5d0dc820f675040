import { stemmer } from '@orama/stemmers/english';
import { ENGLISH } from './stop-words.ts';

/** Part of the index's version (store/search/stale.ts). Raise it on any change here or of the indexed texts. */
export const ANALYSIS_VERSION = 5;

/** Longer tokens are shortened, in texts and questions alike: a database index limits its keys. */
const TOKEN_CHARACTERS = 64;

/**
 * Text of which the patterns for any text, further down, say no more than these do. Those are made on use: a hook has these
 * ready 3 ms sooner.
 */
const PLAIN = /^[\t\n\r -~가-힣‘’“”–—…·→×]*$/;
const PLAIN_WORD = /[a-z0-9가-힣]+/g;
const PLAIN_LATIN = /^[a-z0-9]+$/;
const LETTERS = /^[a-z]+$/;
const PLAIN_SYLLABIC = /^[가-힣]+$/;
/** Contractions in pieces, as {@link words} splits them: "don't" is "don" and "t". */
const STOP_WORDS = new Set(ENGLISH.flatMap((word) => word.split("'")));

/**
 * Splits text into tokens, in order, for the index and for questions alike: NFKC and lower case; Latin words stemmed;
 * runs of Hangul, Han or Kana as character bigrams (a run of one character as itself). Tokens hold letters, digits and
 * marks only, so that no text can be read as query syntax.
 */
export function analyse(text: string): string[] {
  return words(text).flatMap(tokensOf);
}

/**
 * The distinct tokens of a question, without English stop words unless it has nothing else. The list is empty when the
 * text has no letter or digit.
 */
export function queryTerms(text: string): string[] {
  const all = words(text);
  const telling = all.filter((word) => !STOP_WORDS.has(word));
  return [...new Set((telling.length > 0 ? telling : all).flatMap(tokensOf))];
}

function words(text: string): string[] {
  if (PLAIN.test(text)) return text.toLowerCase().match(PLAIN_WORD) ?? [];
  // Characters that only say how the one before is drawn: variation selectors, joiners, the keycap.
  const drawing = /\u20e3|[\u200b-\u200d\u2060]|\p{Variation_Selector}/gu;
  // Bounded pieces are joined again: matching a word of a million letters overflows the stack.
  const piecesOfWords = /[\p{L}\p{N}\p{M}]{1,1000}/gu;
  const plain = text.replace(drawing, '').normalize('NFKC').toLowerCase().normalize('NFC');
  const found: string[] = [];
  let end = -1;
  for (const { 0: piece, index } of plain.matchAll(piecesOfWords)) {
    if (index === end) found.push((found.pop() ?? '') + piece);
    else found.push(piece);
    end = index + piece.length;
  }
  return found.map(fromFirstLetter).filter((word) => word !== '');
}

/** A mark belongs to the letter before it; marks before the first letter are dropped. */
function fromFirstLetter(word: string): string {
  let start = 0;
  for (const character of word) {
    if (!/^\p{M}/u.test(character)) break;
    start += character.length;
  }
  return word.slice(start);
}

function tokensOf(word: string): string[] {
  if (PLAIN_LATIN.test(word)) return [stemmed(word.slice(0, TOKEN_CHARACTERS), LETTERS)];
  if (PLAIN_SYLLABIC.test(word)) return bigrams([...word]);
  return runsOf(word).flatMap((run) => {
    if (isSyllabic(run)) return bigrams([...run]);
    // Only as much as a token can hold is split: a character has at most two code units.
    const short = [...run.slice(0, 2 * TOKEN_CHARACTERS)].slice(0, TOKEN_CHARACTERS).join('');
    return stemmed(short, /^[\p{Script=Latin}\p{M}]+$/u);
  });
}

function stemmed(token: string, word: RegExp): string {
  return word.test(token) ? stemmer(token) : token;
}

/** A word's runs of syllabic script and of other characters. */
function runsOf(word: string): string[] {
  const runs: string[] = [];
  const piecesOfRuns =
    /[\p{Script=Hangul}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々]{1,1000}|[^\p{Script=Hangul}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々]{1,1000}/gu;
  let wasSyllabic: boolean | undefined;
  for (const [piece] of word.matchAll(piecesOfRuns)) {
    const is = isSyllabic(piece);
    runs.push(is === wasSyllabic ? (runs.pop() ?? '') + piece : piece);
    wasSyllabic = is;
  }
  return runs;
}

function isSyllabic(run: string): boolean {
  return /^[\p{Script=Hangul}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々]/u.test(run);
}

function bigrams(characters: string[]): string[] {
  if (characters.length < 2) return characters;
  return characters.slice(1).map((character, index) => (characters[index] as string) + character);
}
