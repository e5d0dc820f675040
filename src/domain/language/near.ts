import { analyse } from './analysis.ts';

/**
 * Words that may be mistyped: of English letters, neither data nor short. A short word is one letter away from many others
 * that mean something else: helm and held, rust and rest (T-8).
 */
const WORD = /(?<![a-z0-9])[a-z]{6,20}(?![a-z0-9])/g;
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];

/** A word of a question with its term. */
export interface Typed {
  word: string;
  term: string;
}

/** The words of a question that may be mistyped. */
export function mistypable(text: string): Typed[] {
  const words = new Set(text.toLowerCase().match(WORD));
  return [...words].map((word) => ({ word, term: analyse(word)[0] ?? '' }));
}

/** Letters at a word's beginning that its other forms have, too. */
const BEGINNING = 4;
export const beginningOf = (word: string): string => word.slice(0, BEGINNING);

/** The first of these words that is a form of another one: `cache` for `caches`. None is of a word of fewer letters. */
export function formOf({ word, term }: Typed, words: Iterable<string>): string | undefined {
  if (word.length < BEGINNING) return undefined;
  const beginning = beginningOf(word);
  for (const each of words) if (each.startsWith(beginning) && analyse(each)[0] === term) return each;
  return undefined;
}

/** Whether a word, or another form of it, is in one of these lists: it is not a typing error, though no record has it (T-8). */
export function isIn(lists: readonly ReadonlySet<string>[], typed: Typed): boolean {
  const { word } = typed;
  // Another term than its verb has: deletion, delete.
  const verb = word.replace(/ions?$/, '');
  return lists.some(
    (list) =>
      list.has(word) ||
      (verb !== word && (list.has(verb) || list.has(`${verb}e`))) ||
      formOf(typed, list) !== undefined,
  );
}

/**
 * The words that are one typing error away: a letter is missing, too many, another, or has changed places with the next. The
 * first letter is seldom wrong, so it is the same.
 */
export function nearWords(word: string): Set<string> {
  const near = new Set<string>();
  for (let at = 1; at <= word.length; at++) {
    const [before, after] = [word.slice(0, at), word.slice(at)];
    const [letter = '', next = ''] = after;
    if (letter) near.add(before + after.slice(1));
    if (next) near.add(before + next + letter + after.slice(2));
    for (const other of LETTERS) {
      near.add(before + other + after);
      if (letter) near.add(before + other + after.slice(1));
    }
  }
  near.delete(word);
  return near;
}

/** The words of a text as {@link nearWords} are written. */
export const wordsIn = (text: string): string[] => text.toLowerCase().match(WORD) ?? [];
