import { analyse } from './analysis.ts';

/** Words that may be mistyped: of English letters, neither short nor data. */
const WORD = /(?<![a-z0-9])[a-z]{4,20}(?![a-z0-9])/g;
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];

/** The words of a question that may be mistyped, with the term of each. */
export function mistypable(text: string): { word: string; term: string }[] {
  const words = new Set(text.toLowerCase().match(WORD));
  return [...words].map((word) => ({ word, term: analyse(word)[0] ?? '' }));
}

/**
 * The index terms of the words that are one typing error away: a letter that is missing, too many, another, or has changed
 * places with the next. The first letter is seldom wrong, so it is the same.
 */
export function nearTerms(word: string): Set<string> {
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
  return new Set([...near].flatMap(analyse));
}
