import { nounOf } from '../../src/domain/language/particle.ts';
import { ENGLISH } from '../../src/domain/language/stop-words.ts';

const COMMON = new Set(ENGLISH);

/** Words of a text that an agent might search for: no common ones, each once, Korean ones without their particle. */
export function searchWords(text: string): string[] {
  const found = (text.toLowerCase().match(/[\p{L}\p{N}]+(?:[_.-][\p{L}\p{N}]+)*/gu) ?? [])
    .map((word) => (/\p{Script=Hangul}/u.test(word) ? (nounOf(word) ?? word) : word))
    .filter((word) => word.length >= (/\p{Script=Hangul}/u.test(word) ? 2 : 3) && !COMMON.has(word));
  return [...new Set(found)];
}

/** The words that the fewest of these texts contain, rarest first; those that none contains are left out. */
export function rarest(words: string[], texts: string[]): { word: string; in: number[] }[] {
  return words
    .map((word) => ({ word, in: texts.flatMap((text, at) => (text.includes(word) ? [at] : [])) }))
    .filter(({ in: all }) => all.length > 0)
    .sort((a, b) => a.in.length - b.in.length);
}
