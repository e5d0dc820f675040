import type { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

let counter: Promise<typeof countTokens> | undefined;

/**
 * A function that counts tokens (o200k_base; other models' tokenizers differ by some percent). Its vocabulary is two
 * megabytes: it is read when it is first needed, which takes a quarter of a second.
 */
export async function tokenCounter(): Promise<(text: string) => number> {
  counter ??= import('gpt-tokenizer/encoding/o200k_base').then((encoding) => encoding.countTokens);
  const count = await counter;
  // Text that looks like a model's control token is text.
  return (text) => count(text, { disallowedSpecial: new Set() });
}
