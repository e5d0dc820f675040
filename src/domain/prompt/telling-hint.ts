import { KNOWN_WORDS } from './english-words.ts';
import { subjectOf, wordsOf } from './prompt.ts';

/** Letters that a hint of one word has at least: `pan` is in "expand the pan", too, and two syllables begin many words. */
const LETTERS = 4;
const SYLLABLES = 3;

/** Whether a hint says what it is about: one word must not be common or short, of several not all may be in every prompt. */
export function isTelling(hint: string): boolean {
  if (subjectOf(wordsOf(hint)).length === 0) return false;
  const word = hint.toLowerCase();
  if (/^[가-힣]+$/.test(word)) return word.length >= SYLLABLES;
  // A name with a sign or a digit inside is no common word.
  if (!/^[a-z]+$/.test(word)) return true;
  const forms = [word, word.replace(/s$/, '')];
  return word.length >= LETTERS && !KNOWN_WORDS.some((words) => forms.some((form) => words.has(form)));
}
