import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { PrecedentError } from '../domain/error.ts';

/** The bytes of a file; undefined where there is none. @throws PrecedentError `unavailable` */
export function bytesOf(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw failure(file, 'read', error);
  }
}

/**
 * Replaces a file as a whole, or removes it: who reads it sees the one or the other. A link stays a link, and its target
 * is replaced.
 * @param before what it said when the change was made up; another program may have written since
 * @param after undefined removes it
 * @throws PrecedentError `conflict` when it says something else by now; `unavailable` when it cannot be written
 */
export function replaceFile(file: string, before: Buffer | undefined, after: Buffer | undefined): void {
  const target = targetOf(file);
  const now = requireBytes(file, before);
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
export function requireBytes(file: string, before: Buffer | undefined): Buffer | undefined {
  const now = bytesOf(file);
  if (now === undefined ? before !== undefined : !before?.equals(now))
    throw new PrecedentError('conflict', `${file} was changed by another program just now. Run this again.`);
  return now;
}

/** The file that a link leads to, also where it is not there yet. */
function targetOf(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    try {
      return resolve(dirname(file), readlinkSync(file));
    } catch {
      return file;
    }
  }
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
  return new PrecedentError('unavailable', `${file} cannot be ${what} (${codeOf(cause)}).`, { cause });
}
