import { cut } from './sentence.ts';

/** Where tokenizers split a text first: words (of `pointerMoveEvent`, three), numbers, blanks, single signs. */
const PIECE = /[A-Z]?[a-z]+|[A-Z]+|\d+|\s+|[\s\S]/gu;
/** Letters of a Latin word, and digits, that are one token at most. */
const LETTERS = 7;
const DIGITS = 3;
/** Tokens of a syllable of Hangul, and of a sign of ASCII: several are often one token. */
const HANGUL = 0.9;
const SIGN = 0.5;

/**
 * How many tokens a model reads of a text, estimated (T-4): within 15 % of o200k_base over English and Korean prose, JSON
 * answers and paths of code. Single short texts differ more, and so do the tokenizers of models among each other.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const [piece] of text.matchAll(PIECE)) tokens += tokensOf(piece);
  return Math.ceil(tokens);
}

function tokensOf(piece: string): number {
  // A single blank belongs to the word after it.
  if (piece === ' ') return 0;
  if (/^[A-Za-z]/.test(piece)) return Math.ceil(piece.length / LETTERS);
  if (/^\d/.test(piece)) return Math.ceil(piece.length / DIGITS);
  if (/^[가-힣]/.test(piece)) return HANGUL;
  return /^[!-~]/.test(piece) ? SIGN : 1;
}

/** A text on one line, shortened until it takes so many tokens at most; "…" says so. */
export function cutToTokens(text: string, most: number): string {
  let shown = text;
  for (let limit = [...text].length; estimateTokens(shown) > most && limit > 1; ) {
    limit = Math.floor(limit * SHORTER);
    shown = cut(text, limit);
  }
  return shown;
}
const SHORTER = 0.85;

/** How many of these have room, from the first on. @param costs tokens of each */
export function fitting(costs: readonly number[], room: number): number {
  let left = room;
  const full = costs.findIndex((cost) => {
    left -= cost;
    return left < 0;
  });
  return full < 0 ? costs.length : full;
}
