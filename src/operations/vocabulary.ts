import ranks from 'gpt-tokenizer/bpeRanks/o200k_base';
import { O200K_TOKEN_SPLIT_REGEX } from 'gpt-tokenizer/encodingParams/constants';
import { TokenTable, tokenTable } from './token-table.ts';

/**
 * The tokens of o200k_base. Made here in half a second; the build makes them once and puts a file that is only read in the
 * place of this, and a text in that of the pattern, since the library makes three to give one (`scripts/frozen.ts`).
 */
export const vocabulary = new TokenTable(tokenTable(ranks));

/** How a text is cut into pieces, as the source of a pattern. */
export const pieces = O200K_TOKEN_SPLIT_REGEX.source;
