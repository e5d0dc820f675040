import { BytePairEncodingCore } from 'gpt-tokenizer/BytePairEncodingCore';
import { pattern } from '../domain/text/pattern.ts';
import type { TokenTable } from './token-table.ts';

/** Without one, the library looks for a control token at every character. */
const CONTROL_TOKENS = new Map([['<|endoftext|>', 199_999]]);
/** Pieces of texts whose numbers are remembered: most words of an answer are in it several times. */
const REMEMBERED = 10_000;

/** The encoder is given one piece at a time. */
const WHOLE = /.+/gs;

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
 * The library's encoder, which looks tokens up in a table: the maps that it would make itself take 200 ms. Most words of an
 * answer were counted before, so that it is asked for a piece once.
 * @param pieces how a text is cut; over plain text, the library's own pattern takes 8 ms more to be made and run
 */
function counterOver(table: TokenTable, pieces: string): (text: string) => number {
  const pieceOf = pattern(pieces.replaceAll('|\\p{N}', '|[\\p{N}]'), 'gu');
  const encoder = new BytePairEncodingCore({
    bytePairRankDecoder: [],
    specialTokensEncoder: CONTROL_TOKENS,
    tokenSplitRegex: WHOLE,
    mergeCacheSize: 0,
  });
  Object.assign(encoder, {
    getBpeRankFromString: (token: string) => table.numberOf(Buffer.from(token)),
    getBpeRankFromBytes: (token: Uint8Array) => table.numberOf(token),
  });
  const known = new Map<string, number>();
  const tokensOf = (piece: string) => {
    const tokens = encoder.countNative(piece);
    if (known.size >= REMEMBERED) known.clear();
    known.set(piece, tokens);
    return tokens;
  };
  return (text) => {
    let tokens = 0;
    for (const piece of text.match(pieceOf(text)) ?? []) tokens += known.get(piece) ?? tokensOf(piece);
    return tokens;
  };
}
