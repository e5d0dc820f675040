import { cpSync, existsSync, mkdirSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { unavailable } from '../../domain/error.ts';
import { newId } from '../../domain/id.ts';
import { namesIn } from '../../files/bounded.ts';
import { makeFolders, removeEmpty } from '../files.ts';
import { appIn, CURRENT, currentVersion, launcherIn } from './current.ts';

/** The parts of the package that the program needs. */
const PARTS = ['dist', 'skills', 'package.json'];

/** The package that runs. */
export interface Package {
  /** Its folder: of an installation, of a cache, of a clone, or of the copy. */
  root: string;
  version: string;
}

/**
 * Makes this program the copy that agents start, so that neither a rebuilt clone nor a cache of npx nor a removed package
 * ends their hooks. It is called while no other setup is at work.
 * @returns the path to enter
 * @throws PrecedentError `unavailable` where it cannot be copied
 */
export function install(from: Package, dataFolder: string): string {
  const app = appIn(dataFolder);
  try {
    if (!isCopy(from, dataFolder)) copyIn(from, app);
    if (currentVersion(dataFolder) !== from.version) switchTo(from.version, dataFolder);
    removeAllBut([from.version, CURRENT], app);
  } catch (cause) {
    const why = cause instanceof Error && 'code' in cause ? cause.code : 'unknown reason';
    throw unavailable.no_access(`The program could not be copied to ${app} (${why}).`, { cause });
  }
  return launcherIn(dataFolder);
}

/** Takes the copy away; where this program is that copy, as it ends, since it may load more of itself. */
export function removeCopy(running: Package, dataFolder: string): void {
  const app = appIn(dataFolder);
  const remove = () => {
    removeAllBut([], app);
    removeEmpty([app]);
  };
  if (isCopy(running, dataFolder)) process.once('exit', remove);
  else remove();
}

/** Whether a package is the copy in the data folder. */
function isCopy({ root }: Package, dataFolder: string): boolean {
  const app = appIn(dataFolder);
  return existsSync(app) && dirname(root) === realpathSync(app);
}

/** The copy has its name once it is whole. */
function copyIn({ root, version }: Package, app: string): void {
  const [partial, old] = ['partial', 'old'].map((name) => join(app, `.${name}-${newId()}`)) as [
    string,
    string,
  ];
  makeFolders(app);
  try {
    mkdirSync(partial, { mode: 0o700 });
    for (const part of PARTS) cpSync(join(root, part), join(partial, part), { recursive: true });
    const folder = join(app, version);
    if (existsSync(folder)) renameSync(folder, old);
    renameSync(partial, folder);
  } finally {
    for (const each of [partial, old]) rmSync(each, { recursive: true, force: true });
  }
}

/** The launcher is replaced as a whole: a start meanwhile reads the old one or the new one. */
function switchTo(version: string, dataFolder: string): void {
  const launcher = launcherIn(dataFolder);
  const partial = join(appIn(dataFolder), `.current-${newId()}`);
  mkdirSync(dirname(launcher), { recursive: true, mode: 0o700 });
  writeFileSync(partial, `#!/usr/bin/env node\nrequire('../${version}/dist/precedent.cjs');\n`);
  renameSync(partial, launcher);
}

/** Also what a killed setup left behind. A server that runs from what goes says so, and is started anew. */
function removeAllBut(kept: readonly string[], app: string): void {
  for (const name of namesIn(app))
    if (!kept.includes(name)) rmSync(join(app, name), { recursive: true, force: true });
}
