import { BytePairEncodingCore } from 'gpt-tokenizer/BytePairEncodingCore';
import { pattern } from '../domain/text/pattern.ts';
import type { TokenTable } from './token-table.ts';

/** Without one, the library looks for a control token at every character. */
const CONTROL_TOKENS = new Map([['<|endoftext|>', 199_999]]);
/** Pieces of texts whose numbers are remembered: most words of an answer are in it several times. */
const REMEMBERED = 10_000;

/** What the encoder has until it is told how a text is cut. */
const NO_PIECES = /$/g;

let counter: Promise<(text: string) => number> | undefined;

/**
 * A function that counts tokens (o200k_base; tokenizers of other models differ by some percent). Text that looks like a
 * control token of a model counts as text. Its vocabulary of three megabytes is read on first use.
 */
export function tokenCounter(): Promise<(text: string) => number> {
  counter ??= import('./vocabulary.ts').then(({ vocabulary, pieces }) => counterOver(vocabulary, pieces));
  return counter;
}

/** Tokens of a text at least, at once: none of them goes on from one word to the next. */
export function fewestTokens(text: string): number {
  return text.match(WORD_BEHIND_BLANK)?.length ?? 0;
}
const WORD_BEHIND_BLANK = / (?=\S)/g;

/**
 * The library's encoder, which looks tokens up in a table: the maps that it would make itself take 200 ms.
 * @param pieces how a text is cut; over plain text, the library's own pattern takes 8 ms more to be made and run
 */
function counterOver(table: TokenTable, pieces: string): (text: string) => number {
  const pieceOf = pattern(pieces.replaceAll('|\\p{N}', '|[\\p{N}]'), 'gu');
  const encoder = new BytePairEncodingCore({
    bytePairRankDecoder: [],
    specialTokensEncoder: CONTROL_TOKENS,
    tokenSplitRegex: NO_PIECES,
  });
  const known = new Map<string, number | undefined>();
  const numberOf = (piece: string) => {
    if (known.has(piece)) return known.get(piece);
    if (known.size >= REMEMBERED) known.clear();
    const number = table.numberOf(Buffer.from(piece));
    known.set(piece, number);
    return number;
  };
  Object.assign(encoder, {
    getBpeRankFromString: numberOf,
    getBpeRankFromBytes: (token: Uint8Array) => table.numberOf(token),
  });
  return (text) => {
    Object.assign(encoder, { tokenSplitRegex: pieceOf(text) });
    return encoder.countNative(text);
  };
}
