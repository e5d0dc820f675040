import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { conflict, PrecedentError, unavailable } from '../domain/error.ts';
import { readBounded, SMALL } from '../files/bounded.ts';

/** Bytes that a person's own file of settings may have: Claude Code keeps a history in ~/.claude.json, of several MB. */
const LARGEST = 16 * SMALL;
/** Bytes that a project's may have, which others have written: what is slow to read must be short. */
const OF_PROJECT = 64 * 1024;

/**
 * The bytes of a file of settings; undefined where there is none (Z-3).
 * @param project the folder of a project, for a file in it: others have written it, so no link may lead out of there.
 *   Without one it is the person's own, and a link is followed to any file of this account
 * @throws PrecedentError `unavailable` when it cannot be read; `invalid` for anything but a regular file, or a larger one
 */
export function bytesOf(file: string, project?: string): Buffer | undefined {
  try {
    const bounds = { limit: OF_PROJECT, within: project };
    return readBounded(file, project === undefined ? { limit: LARGEST, isOwn: true } : bounds);
  } catch (error) {
    // The link may be older than the file: some people keep their settings elsewhere.
    const isAhead =
      project === undefined && error instanceof PrecedentError && codeOf(error.cause) === 'ENOENT';
    if (isAhead) return undefined;
    throw error;
  }
}

/** The text of a file of settings without its byte order mark. @throws PrecedentError as {@link bytesOf} */
export function settingsIn(file: string, project?: string): string | undefined {
  return bytesOf(file, project)
    ?.toString()
    .replace(/^\uFEFF/, '');
}

/**
 * Replaces a file as a whole, or removes it: who reads it sees the one or the other. A link stays a link, and its target
 * is replaced.
 * @param before what it said when the change was made up; another program may have written since
 * @param after undefined removes it
 * @param project as in {@link bytesOf}
 * @throws PrecedentError `conflict` when it says something else by now; `unavailable` when it cannot be written
 */
export function replaceFile(
  file: string,
  before: Buffer | undefined,
  after: Buffer | undefined,
  project?: string,
): void {
  const now = requireBytes(file, before, project);
  const target = targetOf(file);
  const partial = `${target}.${process.pid}.partial`;
  try {
    if (now !== undefined) mayWrite(target);
    if (after === undefined) {
      rmSync(target, { force: true });
      return;
    }
    // It may hold what only this account may read: it has the mode of the target after it, and never a wider one before.
    writeFileSync(partial, after, { flag: 'wx', mode: now === undefined ? 0o666 : 0o600 });
    if (now !== undefined) chmodSync(partial, statSync(target).mode);
    renameSync(partial, target);
  } catch (error) {
    rmSync(partial, { force: true });
    throw error instanceof PrecedentError ? error : failure(file, 'written', error);
  }
}

/** @returns the bytes of a file. @throws PrecedentError `conflict` when they are not what they were before */
function requireBytes(file: string, before: Buffer | undefined, project?: string): Buffer | undefined {
  const now = bytesOf(file, project);
  if (now === undefined ? before !== undefined : !before?.equals(now))
    throw conflict.changed_meanwhile(`${file} was changed by another program just now. Run this again.`);
  return now;
}

/** The file that a link leads to, also where it is not there yet. */
function targetOf(file: string): string {
  if (existsSync(file)) return realpathSync(file);
  const isLink = lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink();
  return isLink ? resolve(dirname(file), readlinkSync(file)) : file;
}

/** A file that is read-only was made so by somebody; that its folder can be written does not change that. */
function mayWrite(file: string): void {
  accessSync(file, constants.W_OK);
  if ((statSync(file).mode & 0o222) === 0) throw Object.assign(new Error('read-only'), { code: 'read-only' });
}

/**
 * Makes a folder and those above it, one level at a time.
 * @returns the folders that were made, the outer ones first
 * @throws PrecedentError `unavailable`
 */
export function makeFolders(folder: string): string[] {
  const missing: string[] = [];
  for (let each = folder; !existsSync(each); each = dirname(each)) missing.unshift(each);
  try {
    for (const each of missing) mkdirSync(each, { mode: 0o700 });
  } catch (error) {
    throw failure(folder, 'made', error);
  }
  return missing;
}

/** Removes folders that are empty, the inner ones first. @returns those that are not, the outer ones first */
export function removeEmpty(folders: readonly string[]): string[] {
  const left = folders.toReversed().filter((folder) => {
    try {
      rmdirSync(folder);
      return false;
    } catch {
      return existsSync(folder);
    }
  });
  return left.reverse();
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
}

function failure(file: string, what: string, cause: unknown): PrecedentError {
  return unavailable.no_access(`${file} cannot be ${what} (${codeOf(cause)}).`, { cause });
}
