import { BytePairEncodingCore } from 'gpt-tokenizer/BytePairEncodingCore';
import { O200K_TOKEN_SPLIT_REGEX } from 'gpt-tokenizer/encodingParams/constants';
import type { TokenTable } from './token-table.ts';

/** Without one, the library looks for a control token at every character. */
const CONTROL_TOKENS = new Map([['<|endoftext|>', 199_999]]);

let counter: Promise<(text: string) => number> | undefined;

/**
 * A function that counts tokens (o200k_base; tokenizers of other models differ by some percent). Text that looks like a
 * control token of a model counts as text. Its vocabulary of three megabytes is read on first use.
 */
export function tokenCounter(): Promise<(text: string) => number> {
  counter ??= import('./vocabulary.ts').then(({ vocabulary }) => counterOver(vocabulary));
  return counter;
}

/** The library's encoder, which looks tokens up in a table: the maps that it would make itself take 200 ms. */
function counterOver(table: TokenTable): (text: string) => number {
  const encoder = new BytePairEncodingCore({
    bytePairRankDecoder: [],
    specialTokensEncoder: CONTROL_TOKENS,
    tokenSplitRegex: O200K_TOKEN_SPLIT_REGEX,
  });
  Object.assign(encoder, {
    getBpeRankFromString: (token: string) => table.numberOf(Buffer.from(token)),
    getBpeRankFromBytes: (token: Uint8Array) => table.numberOf(token),
  });
  return (text) => encoder.countNative(text);
}
