import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';
import { dirname, resolve, sep } from 'node:path';
import { invalid, PrecedentError, unavailable } from '../domain/error.ts';
import { otherThanFile } from '../domain/file-kind.ts';
import { realPath } from './machines.ts';

/** How an untrusted file is read. */
export interface Bounds {
  /** Bytes at most. */
  limit?: number;
  /** Set where only the first bytes are wanted, however long the file is. */
  first?: number;
  /** A folder that no link may lead out of: a file whose real path is elsewhere is refused. */
  within?: string | undefined;
  /**
   * Set for the person's own settings: a link is followed, as managers of dotfiles make them, but to no file of another
   * account. Files of the system count as the person's.
   */
  isOwn?: boolean;
}

/** Bytes that a file of settings, a manifest or a note has at most, where nothing else is said: 1 MiB. */
export const SMALL = 1024 * 1024;

/**
 * The bytes of an untrusted file (Z-3): a regular file of at most `limit` bytes. A FIFO, a device
 * or an endless file is refused without waiting for it and without reading it.
 * @returns undefined where there is nothing
 * @throws PrecedentError `invalid` for anything but a regular file, for a larger one, and for a link out of `within` or to
 *   another machine;
 *   `unavailable` when it cannot be read
 */
export function readBounded(path: string, bounds: Bounds = {}): Buffer | undefined {
  try {
    const real = bounds.isOwn ? realpathSync(path) : realPath(path, bounds.within);
    requireInside(real, path, bounds.within);
    const found = statSync(real);
    // Opening some devices does something. A FIFO that comes here meanwhile is not waited for.
    requireRegular(found, path);
    if (bounds.isOwn && real !== path) requireOwn(found, path);
    const file = openSync(real, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      return readOpen(file, path, bounds);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (error instanceof PrecedentError) throw error;
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown reason';
    // A link to nothing is there, and somebody should hear of it.
    if (code === 'ENOTDIR' || (code === 'ENOENT' && !isThere(path))) {
      requireFolderInside(path, bounds.within);
      return undefined;
    }
    throw unavailable.no_access(`Expected a file, found that ${path} cannot be read (${code}).`, {
      cause: error,
    });
  }
}

/**
 * Requires a regular file, no link, of at most `limit` bytes, before its path is handed on, as for a copy.
 * @throws PrecedentError as {@link readBounded}
 */
export function requireOrdinary(path: string, limit: number): void {
  const found = lstatSync(path);
  requireRegular(found, path);
  if (found.size > limit) throw tooLarge(path, limit);
}

/** As {@link readBounded}, for files that may be missing: undefined if that refuses. */
export function readIfOrdinary(path: string, bounds?: Bounds): Buffer | undefined {
  try {
    return readBounded(path, bounds);
  } catch {
    return undefined;
  }
}

/** Whether a path is a folder, or is in it. Both absolute, links resolved. */
export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** Whether a path leads out of a folder by a link; one that is not there leads nowhere. Both may be relative. */
export function leadsOut(path: string, folder: string): boolean {
  try {
    return !isInside(realPath(path, folder), realpathSync(folder));
  } catch (error) {
    return error instanceof PrecedentError;
  }
}

function requireInside(real: string, path: string, within: string | undefined): void {
  if (within === undefined || isInside(real, realpathSync(within))) return;
  throw invalid.unsafe_file(`Expected a file inside ${within}, found a link out of it: ${path}.`);
}

/** Of a file that is not there: who makes it writes where its folder leads. */
function requireFolderInside(path: string, within: string | undefined): void {
  let folder = dirname(resolve(path));
  while (!existsSync(folder)) folder = dirname(folder);
  requireInside(realpathSync(folder), path, within);
}

/** Windows has no numbers of accounts, and root may read anything as it is. */
function requireOwn({ uid }: Stats, path: string): void {
  const self = process.getuid?.();
  if (self === undefined || self === 0 || uid === self || uid === 0) return;
  throw invalid.unsafe_file(`Expected a file of your own, found a link to one of another account: ${path}.`);
}

function readOpen(file: number, path: string, { limit = SMALL, first }: Bounds): Buffer {
  const found = fstatSync(file);
  requireRegular(found, path);
  if (first !== undefined) {
    const bytes = Buffer.alloc(first);
    return bytes.subarray(0, readSync(file, bytes, 0, first, 0));
  }
  if (found.size > limit) throw tooLarge(path, limit);
  // One more than it says: it may grow.
  const bytes = Buffer.allocUnsafe(found.size + 1);
  let length = 0;
  for (let more = 1; more > 0 && length < bytes.length; length += more)
    more = readSync(file, bytes, length, bytes.length - length, null);
  if (length > found.size)
    throw unavailable.changing(`Expected a file, found one that grows while it is read: ${path}.`);
  return bytes.subarray(0, length);
}

function requireRegular(found: Stats, path: string): void {
  if (found.isFile()) return;
  const what = found.isSymbolicLink() ? 'a link' : (otherThanFile(found) ?? 'something else');
  throw invalid.wrong_file(`Expected a regular file, found ${what} at ${path}.`);
}

function tooLarge(path: string, limit: number): PrecedentError {
  return invalid.too_large(`Expected a file of at most ${sizeOf(limit)}, found a larger one: ${path}.`);
}

export function sizeOf(bytes: number): string {
  return bytes >= SMALL ? `${Math.floor(bytes / SMALL)} MB` : `${Math.floor(bytes / 1024)} kB`;
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** The names in a folder; none where there is no folder, or none that may be read. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
