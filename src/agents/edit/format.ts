import type { Path, Value } from './value.ts';

/**
 * How a file of settings is changed, so that all that it does not touch stays as it is: comments, order, line ends.
 * Every edit is read again, and refused when the file does not say what it should.
 */
export interface Format {
  /** All that the file says. An empty file says nothing. @throws Unreadable */
  read(text: string): Record<string, unknown>;
  /** Makes the path lead to the value; the groups on the way are made. @throws Unreadable */
  put(text: string, path: Path, value: Value): string;
  /** Takes away what the path leads to. @throws Unreadable */
  take(text: string, path: Path): string;
  /** What a file says besides its keys: each value that holds no others, and each comment. @throws Unreadable */
  leaves(text: string): Leaf[];
}

/** A part of a text, from a character up to another. */
export interface Leaf {
  /** Left out for a comment. */
  path?: Path;
  start: number;
  end: number;
}

/** A file that cannot be read, or cannot be changed safely: it is left as it is. */
export class Unreadable extends Error {}

/**
 * An edited text, once it was read again.
 * @param isMeant whether that is what it should say
 * @throws Unreadable when it is not
 */
export function checked<Said>(
  text: string,
  read: (text: string) => Said,
  isMeant: (said: Said) => boolean,
): string {
  try {
    if (isMeant(read(text))) return text;
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
  }
  throw new Unreadable('it is written in a form that cannot be changed safely, as with a key twice');
}
