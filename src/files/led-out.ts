import { lstatSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { invalid, PrecedentError } from '../domain/error.ts';
import { isInside } from './bounded.ts';
import { lookAt, realPath } from './machines.ts';

/** A path with its links resolved, as far as that can be done. */
export function realOrSame(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}

/** The top folder of the repository around a folder; undefined where there is none. */
export function repositoryAround(folder: string): string | undefined {
  for (let at = resolve(folder); ; at = dirname(at)) {
    if (lookAt(join(at, '.git'))) return at;
    if (dirname(at) === at) return undefined;
  }
}

/**
 * Refuses a path that a person named when a link on it leads out of the repository that contains the link, or out of the
 * working folder for a relative path: whoever made the repository, or the archive that was unpacked there, made the link
 * (Z-3, Z-4). Links above are the person's own.
 * @param folder the working folder, absolute
 * @throws PrecedentError `invalid`, naming the link and where it leads
 */
export function requireNotLedOut(path: string, folder: string): void {
  const working = isAbsolute(path) ? undefined : folder;
  for (let at = resolve(folder, path); at !== dirname(at); at = dirname(at)) {
    if (!lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink()) continue;
    const isBelow = working !== undefined && at !== working && isInside(at, working);
    const base = repositoryAround(dirname(at)) ?? (isBelow ? working : undefined);
    if (base === undefined) continue;
    const real = realOf(at);
    if (real !== undefined && isInside(real, realpathSync(base))) continue;
    const where = real === undefined ? 'to nothing' : `out of it, to ${real}`;
    const instead = real === undefined ? '' : ' Name that path itself if it is meant.';
    throw invalid.unsafe_file(`Expected a path in ${base}, found a link ${where}: ${at}.${instead}`);
  }
}

function realOf(path: string): string | undefined {
  try {
    return realPath(path);
  } catch (error) {
    if (error instanceof PrecedentError) throw error;
    return undefined;
  }
}
