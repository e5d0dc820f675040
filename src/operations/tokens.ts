import type { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

let counter: Promise<typeof countTokens> | undefined;

/**
 * A function that counts tokens (o200k_base; tokenizers of other models differ by some percent). Its vocabulary of two
 * megabytes is loaded on first use, which takes a quarter of a second.
 */
export async function tokenCounter(): Promise<(text: string) => number> {
  counter ??= import('gpt-tokenizer/encoding/o200k_base').then((encoding) => encoding.countTokens);
  const count = await counter;
  // Text that looks like a control token of a model counts as text.
  return (text) => count(text, { disallowedSpecial: new Set() });
}
