import { closestMatch } from 'leven';
import { foldName } from '../text/text.ts';

/** The share of a word that may be mistyped, and how many characters at most. */
const SHARE = 0.4;
const MOST = 3;
/** Characters with which a name begins that mean it. */
const BEGINNING = 3;

/** As a sentence to append, the name that was probably meant: by a part, its beginning, or mistyped; empty when none is near. */
export function didYouMean(typed: string, names: readonly string[]): string {
  const wanted = foldName(typed);
  const near =
    names.find((name) => foldName(name).split(/[:/]/).includes(wanted)) ??
    (wanted.length < BEGINNING ? undefined : names.find((name) => foldName(name).startsWith(wanted))) ??
    mistyped(typed, names);
  return near === undefined ? '' : ` Did you mean "${near}"?`;
}

/**
 * The one of these names that differs in few characters; undefined when none does.
 * @param least how many characters may differ in the shortest word
 */
export function mistyped(typed: string, names: readonly string[], least = 0): string | undefined {
  return closestBy(foldName, typed, names, least) ?? closestBy(lettersOf, typed, names, 0);
}

/** A syllable of Hangul as its letters: of "결재" one of five is mistyped, not one of two syllables. */
const lettersOf = (name: string) => foldName(name).normalize('NFD');

function closestBy(form: (name: string) => string, typed: string, names: readonly string[], least: number) {
  const wanted = form(typed);
  const formed = names.map((name) => [form(name), name] as const);
  const maxDistance = Math.min(MOST, Math.max(least, Math.floor(wanted.length * SHARE)));
  const closest = closestMatch(
    wanted,
    formed.map(([name]) => name),
    { maxDistance },
  );
  return formed.find(([name]) => name === closest)?.[1];
}
