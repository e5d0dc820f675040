import { cut } from '../text/sentence.ts';

/** Text in which {@link PIECE} finds what the next pattern does, which a hook has ready sooner. */
const PLAIN = /^[\s!-~가-힣‘’“”–—…·→×]*$/;
const PLAIN_PIECE = /[가-힣]|[A-Za-z0-9]+|\s+|[\s\S]/g;
/** Runs of one sort: syllables of Hangul, Han and Kana; words; digits; blanks; any other sign. */
const PIECE =
  /[\p{Script=Hangul}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]|[A-Za-z0-9]+|\s+|[\s\S]/gu;
/** Of any script but that of {@link HANGUL}. */
const SYLLABLE = /^[\p{Script=Hangul}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]$/u;
const HANGUL = /^[가-힣]$/;
/** Where the syllables of Hangul begin, and how many there are of one beginning and of one vowel. */
const FIRST = 0xac00;
const OF_BEGINNING = 588;
const OF_VOWEL = 28;
/** Doubled consonants before the vowel, the vowels that few syllables have, and the endings that most others have. */
const RARE_BEGINNINGS = new Set([1, 4, 8, 10, 13]);
const RARE_VOWELS = new Set([3, 7, 10, 14, 15, 16, 17, 19]);
const USUAL_ENDINGS = new Set([0, 4, 8, 16, 21]);
const WORD = /^[A-Za-z]+$/;
/** The parts of `pointerMoveEvent`. */
const HUMPS = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g;
/** No word of a language: every letter may be a token of its own. */
const UNSPEAKABLE = /[^aeiouyAEIOUY]{5}|^[^aeiouyAEIOUY]{3,}$|^[A-Z]+$/;
/** Added to every text, since a short one may be made of rare words. */
const MARGIN = 3;
/** Signs of typesetting, which are one token each. */
const TYPESET = new Set('“”‘’·—–…‹›');

/**
 * Tokens of a text at most: never fewer than o200k_base counts of what people write and of ids, without its
 * vocabulary of two megabytes. A syllable of Hangul, Han or Kana is one; three letters of a word are one; what mixes
 * letters and digits, as ids do, is as many as it has characters, and any other sign as many as it has bytes.
 */
export function tokensAtMost(text: string): number {
  let count = MARGIN;
  for (const [piece] of text.matchAll(PLAIN.test(text) ? PLAIN_PIECE : PIECE)) count += tokensOf(piece);
  return count;
}

/** A text on one line, shortened until it takes so many tokens at most; "…" says so. */
export function cutToTokens(text: string, most: number): string {
  let shown = text;
  for (let limit = [...text].length; tokensAtMost(shown) > most && limit > 1; ) {
    limit = Math.floor(limit * SHORTER);
    shown = cut(text, limit);
  }
  return shown;
}
const SHORTER = 0.85;

function tokensOf(piece: string): number {
  if (HANGUL.test(piece)) return syllable(piece);
  // One blank is a part of the word behind it.
  if (/^\s/.test(piece)) return piece === ' ' ? 0 : 1;
  if (WORD.test(piece)) {
    const humps = piece.match(HUMPS) ?? [piece];
    return humps.reduce(
      (sum, hump) => sum + (UNSPEAKABLE.test(hump) ? hump.length : Math.ceil(hump.length / 3)),
      0,
    );
  }
  if (TYPESET.has(piece)) return 1;
  if (/^\d+$/.test(piece)) return Math.ceil(piece.length / 3);
  if (/^[A-Za-z0-9]/.test(piece)) return piece.length;
  return piece > '\x7f' && SYLLABLE.test(piece) ? 1 : Buffer.byteLength(piece);
}

/** Syllables that few words have are written with two or three tokens. */
function syllable(piece: string): number {
  const number = piece.charCodeAt(0) - FIRST;
  const isRare =
    RARE_BEGINNINGS.has(Math.floor(number / OF_BEGINNING)) ||
    RARE_VOWELS.has(Math.floor((number % OF_BEGINNING) / OF_VOWEL));
  return 1 + Number(isRare) + Number(!USUAL_ENDINGS.has(number % OF_VOWEL));
}
