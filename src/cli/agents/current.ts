import { isCopy, keepCurrent } from '../../agents/app/install.ts';
import { markRunning } from '../../agents/app/versions.ts';
import { here } from '../../files/surroundings.ts';
import { findDataFolder } from '../data-folder.ts';
import { packageHere } from './package.ts';

/**
 * Lets agents start this version from now on, if setup once entered an older one. It is no matter of the command
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
