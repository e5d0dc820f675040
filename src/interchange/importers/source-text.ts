import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { PrecedentError } from '../../domain/error.ts';
import { otherThanFile } from '../../domain/file-kind.ts';

/** Stands in the place of bytes that are no UTF-8. */
const REPLACEMENT = '\ufffd';

/** A text file of a source. */
export interface SourceText {
  text: string;
  /** When it was changed last, in milliseconds UTC. */
  changedAt: number;
  /** Whether bytes in it were no UTF-8. */
  isDamaged: boolean;
}

/** Why a file of a folder cannot be read, of which the others still come; undefined where it can. */
export function unreadable(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return 'a link to nothing';
  if (!found.isFile()) return otherThanFile(found) ?? 'no file';
  try {
    accessSync(path, constants.R_OK);
    return undefined;
  } catch {
    return 'it may not be read';
  }
}

/**
 * Reads a text file: without a byte order mark, with line feeds alone, and with U+FFFD for what is no UTF-8.
 * @throws PrecedentError `not_found`, or `unavailable` when it cannot be read
 */
export function readText(path: string): SourceText {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found?.isFile()) {
    const what = otherThanFile(found) ?? 'none';
    throw new PrecedentError('not_found', `Expected a file to import, found ${what} at ${path}.`);
  }
  const bytes = attempt(path);
  const text = new TextDecoder('utf-8').decode(bytes);
  const isDamaged = text.includes(REPLACEMENT) && !bytes.includes(REPLACEMENT);
  return { text: text.replaceAll('\r\n', '\n'), changedAt: Math.floor(found.mtimeMs), isDamaged };
}

/** Whether a file begins as JSON does: with a brace or a bracket. */
export function beginsAsJson(path: string): boolean {
  const isFile = statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
  return isFile && /^\s*[[{]/.test(attempt(path).subarray(0, 64).toString('utf8').replace('\ufeff', ''));
}

function attempt(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${error.code})` : '';
    throw new PrecedentError(
      'unavailable',
      `Expected a file to import, found that ${path} cannot be read${code}.`,
      {
        cause: error,
      },
    );
  }
}
