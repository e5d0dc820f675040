import { cut } from '../text/sentence.ts';
import { SIGNS, SIGNS_AND_BLANKS, WORDS } from './single-tokens.ts';

/** What is counted by itself, in whatever pieces o200k_base reads a text: a word of `pointerMoveEvent`, digits, blanks, any other sign. */
const PIECE = /[A-Z]?[a-z]+|\d+|\s+|[\s\S]/gu;
const WORD = /^[A-Z]?[a-z]+$/;
/** Endings that make a word of one token one of two at most. */
const INFLECTED = /^(.{3,}?)(?:s|es|d|ed|ing|r|er|al|ly|ion)$/;
/** Letters that no word of a language has in such a row. */
const UNSPEAKABLE = /[^aeiouy]{4}|^[^aeiouy]+$/;
const RARE = /[jqxz]/g;
/** Shorter words that are not known may be a token each letter. */
const SHORT = 3;
/** Blanks that are one token at least. */
const BLANKS = 8;
/** Added to every text, since a short one may be made of rare words. */
const MARGIN = 1;
/** Signs and single letters of ASCII: one token each, also behind a blank. */
const PLAIN = /^[!-/:-~]$/;
/** Signs of typesetting, which are one token each, also behind a blank. */
const TYPESET = new Set('“”‘’·—–…‹›');

/**
 * Tokens of a text at most: never fewer than o200k_base counts, without its vocabulary of two megabytes. A known word
 * or sign is one, three digits are one, two letters of another word are one and one more, and anything else is as many as it has
 * letters or bytes.
 */
export function tokensAtMost(text: string): number {
  let count = MARGIN;
  let isAfterBlank = false;
  for (const [piece] of text.matchAll(PIECE)) {
    count += tokensOf(piece, isAfterBlank);
    isAfterBlank = piece.endsWith(' ');
  }
  return count + Number(isAfterBlank);
}

/** What a line adds to a text that it is put below of; neither it nor the text ends in a blank. */
export function tokensOfLine(line: string): number {
  return tokensAtMost(`\n${line}`) - MARGIN;
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

/** A blank is counted with what is behind it, since it is a part of that where that begins a word. */
function tokensOf(piece: string, isAfterBlank: boolean): number {
  if (WORD.test(piece)) return tokensOfWord(piece.toLowerCase());
  if (/^\s/.test(piece)) return tokensOfBlanks(piece);
  if (PLAIN.test(piece) || TYPESET.has(piece) || SIGNS_AND_BLANKS.has(piece)) return 1;
  const blank = isAfterBlank ? 1 : 0;
  if (/^\d/.test(piece)) return blank + Math.ceil(piece.length / 3);
  return blank + (SIGNS.has(piece) ? 1 : bytesOf(piece));
}

function tokensOfWord(word: string): number {
  if (WORDS.has(word)) return 1;
  const stem = word.match(INFLECTED)?.[1];
  if (stem !== undefined && WORDS.has(stem)) return 2;
  if (word.length <= SHORT || UNSPEAKABLE.test(word)) return word.length;
  const rare = word.match(RARE)?.length ?? 0;
  return Math.min(word.length, Math.floor(word.length / 2) + 1 + rare);
}

function tokensOfBlanks(blanks: string): number {
  // The last one belongs to what follows.
  return /^ *$/.test(blanks)
    ? Math.ceil((blanks.length - 1) / BLANKS)
    : [...blanks].reduce((sum, each) => sum + bytesOf(each), 0);
}

/** Of UTF-8: no sign is more tokens than it has bytes. */
function bytesOf(sign: string): number {
  const code = sign.codePointAt(0) ?? 0;
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  return code < 0x10000 ? 3 : 4;
}
