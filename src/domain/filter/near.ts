import { closestMatch } from 'leven';
import { foldName } from '../text/text.ts';

/** The share of a word that may be mistyped, and how many characters at most. */
const SHARE = 0.4;
const MOST = 3;
/** Characters with which a name begins that mean it. */
const BEGINNING = 3;

/** Of these names the one that was probably meant; undefined when none is near. */
export function nearestName(typed: string, names: readonly string[]): string | undefined {
  const wanted = foldName(typed);
  if (wanted === '') return undefined;
  const folded = names.map((name) => [foldName(name), name] as const);
  const part =
    folded.find(([name]) => name.split(/[:/]/).includes(wanted)) ??
    (wanted.length < BEGINNING ? undefined : folded.find(([name]) => name.startsWith(wanted)));
  if (part) return part[1];
  const maxDistance = Math.min(MOST, Math.floor(wanted.length * SHARE));
  const closest = closestMatch(
    wanted,
    folded.map(([name]) => name),
    { maxDistance },
  );
  return folded.find(([name]) => name === closest)?.[1];
}

/** As a sentence to append; empty when no name is near. */
export function didYouMean(typed: string, names: readonly string[]): string {
  const near = nearestName(typed, names);
  return near === undefined ? '' : ` Did you mean "${near}"?`;
}
