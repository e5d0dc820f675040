import { isDeepStrictEqual } from 'node:util';
import { type Path, type Value, withValue } from './value.ts';

/** The text before the closing bracket of a group or list, and how many members it has. */
export interface End {
  blank: string;
  members: number;
}

/** How a file of settings is changed, so that all that it does not touch stays as it is: comments, order, line ends. */
export interface Format {
  /** All that the file says. An empty file says nothing. @throws Unreadable */
  read(text: string): Record<string, unknown>;
  /** Makes the path lead to the value; the groups on the way are made. @throws Unreadable */
  put(text: string, path: Path, value: Value): string;
  /** Takes away what the path leads to. @throws Unreadable */
  take(text: string, path: Path): string;
  /** The white space before the end of a group or list, which a put may change; undefined where there is none. */
  endIn?(text: string, path: Path): End | undefined;
  /** Puts it back, if the group or list has as many members again. @throws Unreadable */
  putEnd?(text: string, path: Path, end: End): string;
}

/** A file that cannot be read, or cannot be changed safely: it is left as it is. */
export class Unreadable extends Error {}

/**
 * A format whose edits are read again, and refused when the file does not say what it should.
 * @param isSame whether two files say the same
 */
export function checked({ read, put, take, putEnd, ...rest }: Format, isSame = isDeepStrictEqual): Format {
  const check = (edited: string, expected: unknown) => {
    if (!isSame(readAgain(read, edited), expected))
      throw new Unreadable('it cannot be changed safely, for example because it has a key twice');
    return edited;
  };
  return {
    ...rest,
    ...(putEnd && { putEnd: (text, path, end) => check(putEnd(text, path, end), read(text)) }),
    read,
    put: (text, path, value) => check(put(text, path, value), withValue(read(text), path, value)),
    take: (text, path) => check(take(text, path), withValue(read(text), path, undefined)),
  };
}

/** Undefined for an edited text that is no file of the format any more. */
function readAgain(read: Format['read'], text: string): unknown {
  try {
    return read(text);
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}
