import { forShell } from './text/text.ts';

/** Patterns that a decision may have. */
export const MOST_PLACES = 50;
/** Characters of a pattern. */
const LONGEST = 1_000;
/** Stars of a pattern, and pairs of them: what matches more takes time that grows with a power of it (Z-6). */
const STARS = { all: 8, pairs: 2 };
/** Characters of all patterns together, with what is between them. */
export const PLACES_LENGTH = MOST_PLACES * (LONGEST + 1);

/**
 * The files that a decision binds (F-1), as they are kept: a pattern a line, as in `.gitignore` from the top folder of the
 * repository on, `/` between folders, in composed Unicode. `src/a.ts#name` is a word in a file.
 * @param written also with `, ` between the patterns, and with the strokes of Windows
 */
export function placesFrom(written: string): string {
  const patterns = written.split(/\n|,\s+/).map((each) =>
    each
      .trim()
      .replaceAll('\\', '/')
      .replace(/^(?:\.\/)+/, '')
      .normalize('NFC'),
  );
  return [...new Set(patterns.filter((each) => each !== ''))].join('\n');
}

/** The patterns of {@link placesFrom}. */
export const patternsIn = (places: string | null): string[] => places?.split('\n').filter(Boolean) ?? [];

/** The fault of a decision's places, as it follows "Expected"; undefined where there is none. */
export function problemOfPlaces(places: string): string | undefined {
  if (places.length > PLACES_LENGTH) return `to have at most ${PLACES_LENGTH} characters`;
  const patterns = patternsIn(places);
  if (patterns.length > MOST_PLACES) return `to name at most ${MOST_PLACES} patterns`;
  const long = patterns.find((each) => [...each].length > LONGEST);
  if (long !== undefined) return `to have patterns of at most ${LONGEST} characters`;
  const starred = patterns.find(
    (each) => each.split('*').length - 1 > STARS.all || each.split('**').length - 1 > STARS.pairs,
  );
  if (starred !== undefined)
    return `to have patterns with at most ${STARS.pairs} times "**" and ${STARS.all} stars in all, not "${starred}"`;
  const out = patterns.find(
    (each) =>
      /^(?:!|~|[a-z]:\/|\/(?:home|Users|root)\/)/i.test(each) ||
      each.split('/').includes('..') ||
      /^\/*$/.test(each),
  );
  return out === undefined
    ? undefined
    : `to hold paths or patterns from the top folder of the repository on, such as "src/store/**", not "${out}"`;
}

/** A pattern of a decision that names nothing any more (F-3). */
export interface Vanished {
  /** The decision that has it, and its topic or the beginning of its id. */
  id: string;
  called: string;
  pattern: string;
  /** The pattern that names the same files now, where git has renamed them. */
  heir?: string | undefined;
}

/** The message about it, with the command that mends it. */
export function vanishedNote({ called, pattern, heir }: Vanished): string {
  const topic = /^[\w:@./-]+$/.test(called) ? called : forShell(called);
  return heir === undefined
    ? `names ${pattern}, which is gone: precedent revise ${topic} --remove-file ${forShell(pattern)}`
    : `names ${pattern}, which is ${heir} now: precedent revise ${topic} --add-file ${forShell(heir)} --remove-file ${forShell(pattern)}`;
}

/** The decisions that a file names itself, in a comment such as `@decision auth:session` (F-1). */
export const marksIn = (text: string): string[] => [
  ...new Set(
    [...text.matchAll(/(?<![\p{L}\p{N}_.@])@decision[ \t]+([\p{L}\p{N}_:@./-]{1,200})/gu)].flatMap(
      ([, name = '']) => name.replace(/[.:/-]+$/, '') || [],
    ),
  ),
];
