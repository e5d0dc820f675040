import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import pkg from '../../../package.json' with { type: 'json' };
import { isCopy, keepCurrent, type Package } from '../../agents/app/install.ts';
import { markRunning } from '../../agents/app/versions.ts';
import { internal } from '../../domain/error.ts';
import { here } from '../../files/surroundings.ts';
import { findDataFolder } from '../settings.ts';

/** Where the package has its skill. */
export const SKILL = join('skills', 'precedent', 'SKILL.md');

/** The package that this file is in: of the sources, of an installation or of a copy. */
export function packageHere(): Package {
  return { root: rootOf(import.meta.dirname), version: pkg.version };
}

function rootOf(folder: string): string {
  if (existsSync(join(folder, SKILL))) return folder;
  if (dirname(folder) !== folder) return rootOf(dirname(folder));
  throw internal.incomplete_package('The package is incomplete: its skill is missing. Install it again.');
}

/**
 * Lets agents start this version from now on, if setup once entered an older one. It does not concern the command
 * that runs: where it fails, nothing is said, and `doctor` shows which version agents start.
 */
export async function becomeCurrent(): Promise<void> {
  try {
    keepCurrent(packageHere(), await findDataFolder(here().env));
  } catch {
    // Where nothing can be written, the older version goes on.
  }
}

/** Keeps the copy that this server runs from for as long as it runs. */
export async function holdCopy(): Promise<void> {
  try {
    const running = packageHere();
    if (isCopy(running, await findDataFolder(here().env))) process.on('exit', markRunning(running.root));
  } catch {
    // Where nothing can be written, nothing is removed, either.
  }
}
