import { accessSync, constants, type Stats } from 'node:fs';
import { invalid, notFound, type PrecedentError } from '../../domain/error.ts';
import { otherThanFile } from '../../domain/file-kind.ts';
import { utf16In } from '../../domain/text/lines.ts';
import { leadsOut, readBounded, readIfOrdinary, SMALL } from '../../files/bounded.ts';
import { realIfHere, statHere } from '../../files/machines.ts';
import { objectOf } from './values.ts';

/** Replaces bytes that are not UTF-8. */
const REPLACEMENT = '\ufffd';
/** Bytes that one note of a folder may have. */
const NOTE = 4 * SMALL;
/** Bytes that a file may have which is a whole memory: a list as JSON, or a line for each record. */
const WHOLE = 48 * SMALL;

/** A text file of a source. */
export interface SourceText {
  text: string;
  /** When it was changed last, in milliseconds UTC. */
  changedAt: number;
  /** Whether bytes in it were not UTF-8. */
  isDamaged: boolean;
}

/**
 * Why a note of a folder cannot be read, while the others still come; undefined where it can.
 * @param folder the folder that was named, which no link may lead out of
 */
export function unreadable(path: string, folder?: string): string | undefined {
  if (folder !== undefined && leadsOut(path, folder)) return 'a link out of the folder';
  const found = statHere(path);
  if (!found) return 'a link to nothing';
  if (!found.isFile()) return otherThanFile(found) ?? 'no file';
  if (folder !== undefined && found.size > NOTE) return `larger than ${NOTE / SMALL} MB`;
  try {
    accessSync(path, constants.R_OK);
    return undefined;
  } catch {
    return 'it may not be read';
  }
}

/**
 * Reads a text file: without a byte order mark, with line feeds alone, and with U+FFFD for what is not UTF-8.
 * @param folder the folder that was named, for a file in it: no link may lead out
 * @throws PrecedentError `not_found`; `invalid` for a larger one than may be, or a link out; `unavailable` when it cannot be
 *   read
 */
export function readText(path: string, folder?: string): SourceText {
  const { mtimeMs } = requireFile(path, 'a file');
  return asSourceText(readBounded(path, { limit: WHOLE, within: folder }) ?? Buffer.alloc(0), mtimeMs);
}

/** A text in UTF-8, or in UTF-16 with a mark. */
export const textIn = (bytes: Buffer): string => new TextDecoder(utf16In(bytes)).decode(bytes);

/** {@link readText} of what was read elsewhere. @param changedAt in milliseconds UTC */
export function asSourceText(bytes: Buffer, changedAt: number): SourceText {
  const text = textIn(bytes);
  const isDamaged = text.includes(REPLACEMENT) && !bytes.includes(REPLACEMENT);
  return { text: text.replaceAll('\r\n', '\n'), changedAt: Math.floor(changedAt), isDamaged };
}

/** @throws PrecedentError `not_found` where there is no file @param expected what it would be */
export function requireFile(path: string, expected: string): Stats {
  const found = statHere(path);
  if (found?.isFile()) return found;
  const what = otherThanFile(found) ?? 'none';
  throw notFound.no_file(`Expected ${expected} to import, found ${what} at ${path}.`);
}

/** @throws PrecedentError `not_found` where there is no folder @param expected what it would be */
export function requireFolder(path: string, expected: string): void {
  if (isFolder(path)) return;
  const found = statHere(path);
  const what = found ? (otherThanFile(found) ?? 'a file') : 'none';
  throw notFound.no_file(`Expected ${expected}, found ${what} at ${path}.`);
}

/** For a file that is not what was expected. */
export const anotherFile = (expected: string, path: string): PrecedentError =>
  invalid.wrong_content(`Expected ${expected}, found another file at ${path}. Nothing was imported.`);

/** The person's own settings of a tool, as JSON; none where no file of theirs can be read. */
export const settingsAt = (path: string): Record<string, unknown> =>
  objectOf(textIn(readIfOrdinary(path, { isOwn: true }) ?? Buffer.alloc(0)));

export const isFolder = (path: string): boolean => statHere(path)?.isDirectory() ?? false;

/** Whether a file begins as JSON does: with a brace or a bracket. */
export function beginsAsJson(path: string): boolean {
  const isFile = statHere(path)?.isFile() ?? false;
  return isFile && /^\s*[[{]/.test(textIn(beginningOf(path, 64)));
}

/** The first bytes of a regular file. @throws PrecedentError `unavailable` when it cannot be read */
export function beginningOf(path: string, size: number): Buffer {
  return readBounded(path, { limit: Number.POSITIVE_INFINITY, first: size }) ?? Buffer.alloc(0);
}

/**
 * The file of a source that was found below a path that was named: no link leads out of there (Z-4).
 * @throws PrecedentError `invalid`, naming where the link leads
 */
export function requireBelow(file: string, handed: string): string {
  if (file === handed || !leadsOut(file, handed)) return file;
  throw invalid.unsafe_file(
    `Expected a file inside ${handed}, found a link out of it: ${file} leads to ${realIfHere(file) ?? 'another machine'}. Name that path itself if it is meant.`,
  );
}
