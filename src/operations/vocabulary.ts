import ranks from 'gpt-tokenizer/bpeRanks/o200k_base';
import { TokenTable, tokenTable } from './token-table.ts';

/**
 * The tokens of o200k_base. Made here in half a second; the build makes them once and puts a file that is only read in the
 * place of this (`scripts/frozen.ts`).
 */
export const vocabulary = new TokenTable(tokenTable(ranks));
