import { stemmer } from '@orama/stemmers/english';
import { PLAIN } from '../text/plain.ts';
import { spelledOut, textPieces } from '../text/text-pieces.ts';
import { withParts } from './identifier.ts';
import { nounOf } from './particle.ts';
import { remembering } from './remembering.ts';
import { ENGLISH } from './stop-words.ts';

/** Part of the index's version (store/stale.ts). Raise it on any change here or of the indexed texts. */
export const ANALYSIS_VERSION = 8;

/** Longer tokens are shortened, in texts and questions alike: a database index limits its keys. */
export const TOKEN_CHARACTERS = 64;

/**
 * The patterns for any text, further down, say no more of this text than these do. Those are made on use: a hook has these
 * ready 3 ms sooner.
 */
const PLAIN_WORD = /[a-z0-9가-힣]+/g;
const PLAIN_LATIN = /^[a-z0-9]+$/;
const LETTERS = /^[a-z]+$/;
/** `60초`, `jwt를`: runs of both. */
const PLAIN_MIXED = /^[a-z0-9가-힣]+$/;
const PLAIN_RUNS = /[a-z0-9]+|[가-힣]+/g;
const FIRST_HANGUL = '가';
/** The first character of any script that {@link isSyllabic} knows, and the first and last of Hangul's whole syllables. */
const FIRST_SYLLABLE = 0x1100;
const FIRST_WHOLE = 0xac00;
const LAST_WHOLE = 0xd7a3;
/** Contractions in pieces, as {@link words} splits them: "don't" is "don" and "t". */
const STOP_WORDS = new Set(ENGLISH.flatMap((word) => word.split("'")));

/**
 * Nouns that engineers make of a verb and its particle, which is a stop word: without it, "log in" is nothing but a log.
 */
const NOUNS_OF_VERBS = new Set(
  (
    'login logout signin signup signout setup backup rollback rollout timeout shutdown startup cleanup fallback ' +
    'checkout lookup failover handover takeover lockout optout plugin writeback callback layout workaround followup ' +
    'slowdown breakdown scaleup scaleout payout'
  ).split(' '),
);
const PARTICLES = new Set('in out up down back over around'.split(' '));
const ARTICLES = new Set('a an the this that each every no one our'.split(' '));

/**
 * Splits text into tokens, in order, for the index and for questions alike: NFKC and lower case; identifiers as a whole
 * and in parts (`getUserById`); verbs with a particle as one word, too (`logged in`: login); Latin words stemmed; runs of Hangul, Han or Kana as character bigrams (a run of one character as itself). Tokens hold letters, digits and
 * marks only, so that no text can be read as query syntax.
 */
export function analyse(text: string): string[] {
  const all = words(text);
  return all.flatMap((word, at) => [...nounOfVerb(all, at), ...tokensOf(word)]);
}

/** The noun of the verb at this place and the particle after it: none of "a log in the database" and "logs in S3". */
function nounOfVerb(all: string[], at: number): string[] {
  const next = all[at + 1] ?? '';
  const word = all[at] as string;
  if (!PARTICLES.has(next) || ARTICLES.has(all[at - 1] ?? '') || word === 'logs') return [];
  const noun = stemOf(word) + next;
  return NOUNS_OF_VERBS.has(noun) ? [stemOf(noun)] : [];
}

/**
 * The distinct tokens of a question, without English stop words unless it has nothing else; a verb with its particle is
 * their noun alone. The list is empty when the text has no letter or digit.
 */
export function queryTerms(text: string): string[] {
  const all = words(text);
  const telling: string[] = [];
  for (let at = 0; at < all.length; at++) {
    const word = all[at] as string;
    const noun = nounOfVerb(all, at);
    if (noun.length > 0) at += 1;
    telling.push(...(noun.length > 0 || STOP_WORDS.has(word) ? noun : tokensOf(withoutEnding(word))));
  }
  return [...new Set(telling.length > 0 ? telling : all.flatMap(tokensOf))];
}

/** A word of Hangul without its particle or ending, where a noun of two syllables or more is left: 제를 of 결제를 is also in 문제를. */
function withoutEnding(word: string): string {
  const noun = word >= FIRST_HANGUL ? nounOf(word) : word;
  return noun !== undefined && noun.length > 1 && word.startsWith(noun) ? noun : word;
}

/** How many words a token is: a pair of syllables is a third of one. */
export function wordsOfToken(token: string): number {
  const first = token.charCodeAt(0);
  if (first < FIRST_SYLLABLE) return 1;
  return (first >= FIRST_WHOLE && first <= LAST_WHOLE) || isSyllabic(token) ? 1 / 3 : 1;
}

function words(text: string): string[] {
  return Array.from(textPieces(text), wordsOfPiece).flat();
}

function wordsOfPiece(text: string): string[] {
  if (PLAIN.test(text)) return withParts(text, true).toLowerCase().match(PLAIN_WORD) ?? [];
  // Characters that only say how the one before is drawn: variation selectors, joiners, the keycap.
  const drawing = /\u20e3|[\u200b-\u200d\u2060]|\p{Variation_Selector}/gu;
  // Bounded pieces are joined again: matching a word of a million letters overflows the stack.
  const piecesOfWords = /[\p{L}\p{N}\p{M}]{1,1000}/gu;
  const plain = withParts(spelledOut(text.replace(drawing, '')), false)
    .toLowerCase()
    .normalize('NFC');
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
  if (PLAIN_MIXED.test(word))
    return (word.match(PLAIN_RUNS) ?? []).flatMap((run) =>
      run >= FIRST_HANGUL ? bigrams([...run]) : [stemmed(run.slice(0, TOKEN_CHARACTERS), LETTERS)],
    );
  return runsOf(word).flatMap((run) => {
    if (isSyllabic(run)) return bigrams([...run]);
    // Only as much as a token can hold is split: a character has at most two code units.
    const short = [...run.slice(0, 2 * TOKEN_CHARACTERS)].slice(0, TOKEN_CHARACTERS).join('');
    return stemmed(short, /^[\p{Script=Latin}\p{M}]+$/u);
  });
}

function stemmed(token: string, word: RegExp): string {
  return word.test(token) ? stem(token) : token;
}

/** The stem of a word in lower case; the word itself where it is not of English letters alone. */
export const stemOf = (word: string): string => stemmed(word, LETTERS);

/** A text repeats its words, and twenty patterns make a stem. */
const stem = remembering(stemmer);

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

/** Whether a run of characters, or a term, is written in Hangul, Han or Kana. */
export function isSyllabic(run: string): boolean {
  return /^[\p{Script=Hangul}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々]/u.test(run);
}

function bigrams(characters: string[]): string[] {
  if (characters.length < 2) return characters;
  return characters.slice(1).map((character, index) => (characters[index] as string) + character);
}
