import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { compareVersions } from 'compare-versions';
import { unavailable } from '../../domain/error.ts';
import { makeFolders } from '../files.ts';
import { readManifest } from '../manifest.ts';
import { needsCopy } from '../shared.ts';
import { appIn, currentVersion, launcherIn, switchToNewest } from './current.ts';
import { passingIn, removeVersions, setAside, sweepVersions } from './versions.ts';

/** What the program needs of its package. */
const PARTS = ['dist', 'skills', 'package.json'];
/** Files whose names have a hash of their content (scripts/build.ts): those without name all others by it. */
const HASHED = /-[0-9a-f]{8}\.cjs$/;

/** The package that runs. */
export interface Package {
  /** Its folder: of an installation, of a cache, of a clone, or of a copy. */
  root: string;
  version: string;
}

/**
 * Copies this version into the data folder and lets agents start it, unless a newer one is there: what an older one wrote
 * into settings goes on working with that.
 * @returns the path to enter
 * @throws PrecedentError `unavailable` where it cannot be copied
 */
export function install(from: Package, dataFolder: string): string {
  try {
    makeFolders(appIn(dataFolder));
    copyIn(from, appIn(dataFolder));
    switchToNewest(dataFolder);
  } catch (cause) {
    const why = cause instanceof Error && 'code' in cause ? cause.code : 'unknown reason';
    throw unavailable.no_access(`The program could not be copied to ${appIn(dataFolder)} (${why}).`, {
      cause,
    });
  }
  try {
    sweepVersions(appIn(dataFolder));
  } catch {
    // Next time: nobody starts what is left.
  }
  return launcherIn(dataFolder);
}

/**
 * Replaces an older version by this one, where setup has entered one. Mostly it reads a line, and there is
 * nothing to do.
 * @throws PrecedentError as {@link install}
 */
export function keepCurrent(from: Package, dataFolder: string): void {
  const current = currentVersion(dataFolder);
  const isNewer =
    current === undefined
      ? needsCopy(readManifest(dataFolder).written)
      : compareVersions(from.version, current) > 0;
  if (isNewer) install(from, dataFolder);
}

/** Whether a package is a copy in the data folder. */
export function isCopy({ root }: Package, dataFolder: string): boolean {
  const app = appIn(dataFolder);
  return existsSync(app) && dirname(root) === realpathSync(app);
}

/**
 * Takes all copies away, unless this program is one of them. What a server runs from stays, since it loads more of it when
 * it needs it: the next setup or unsetup after it has ended takes that.
 */
export function removeCopies(running: Package, dataFolder: string): void {
  if (isCopy(running, dataFolder)) return;
  // First of all: nobody starts anymore what is about to go.
  rmSync(dirname(launcherIn(dataFolder)), { recursive: true, force: true });
  removeVersions(appIn(dataFolder));
}

/** A version gets its name when it is whole. Of two that copy it at once, the first one wins. */
function copyIn({ root, version }: Package, app: string): void {
  const folder = join(app, version);
  if (isSame(root, folder)) return;
  const partial = passingIn(app, 'partial');
  try {
    mkdirSync(partial, { mode: 0o700 });
    for (const part of PARTS) cpSync(join(root, part), join(partial, part), { recursive: true });
    if (isSame(root, folder)) return;
    // Another build of the same version is replaced.
    const gone = existsSync(folder) ? setAside(app, version) : undefined;
    renameSync(partial, folder);
    if (gone !== undefined) rmSync(gone, { recursive: true, force: true });
  } catch (error) {
    if (!isSame(root, folder)) throw error;
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}

/** Whether the programs of two folders are the same. */
function isSame(one: string, other: string): boolean {
  const read = (root: string, name: string) => readFileSync(join(root, 'dist', name));
  try {
    return readdirSync(join(one, 'dist'), { recursive: true, encoding: 'utf8' })
      .filter((name) => !HASHED.test(name) && statSync(join(one, 'dist', name)).isFile())
      .every((name) => read(one, name).equals(read(other, name)));
  } catch {
    return false;
  }
}
