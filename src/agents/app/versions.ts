import { existsSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compareVersions, validateStrict } from 'compare-versions';
import { newId } from '../../domain/id.ts';
import { namesIn } from '../../files/bounded.ts';
import { removeEmpty } from '../files.ts';

/** After how long what a killed process left behind is removed, in milliseconds. */
const LEFT_BEHIND = 3_600_000;
/** What begins like this is on its way in or out, and no version. */
const PASSING = '.';
const RUNNING = 'running';

/** The versions that are whole in the folder of copies, the newest first. A copy has its name once it is whole. */
export function versionsIn(app: string): string[] {
  return namesIn(app)
    .filter((name) => validateStrict(name) && existsSync(join(app, name, 'dist', 'precedent.cjs')))
    .sort((one, other) => compareVersions(other, one));
}

/**
 * Takes versions away that nothing uses: all but the newest, the one before it, and those that a server runs from; and
 * what a killed process left behind.
 */
export function sweepVersions(app: string): void {
  for (const version of versionsIn(app).slice(2)) {
    if (!isRunning(join(app, version))) rmSync(setAside(app, version), { recursive: true, force: true });
  }
  for (const name of namesIn(app).filter((each) => each.startsWith(PASSING))) {
    const age = Date.now() - (statSync(join(app, name), { throwIfNoEntry: false })?.mtimeMs ?? Infinity);
    if (age > LEFT_BEHIND) rmSync(join(app, name), { recursive: true, force: true });
  }
}

/** Takes everything away but the versions that a server runs from, and the folder when it is empty then. */
export function removeVersions(app: string): void {
  for (const name of namesIn(app)) {
    if (isRunning(join(app, name))) continue;
    const gone = name.startsWith(PASSING) ? join(app, name) : setAside(app, name);
    rmSync(gone, { recursive: true, force: true });
  }
  removeEmpty([app]);
}

/** Takes a version out of its place at once: nobody finds the half of it. @returns where it is to be removed */
export function setAside(app: string, version: string): string {
  const gone = passingIn(app, `gone-${version}`);
  renameSync(join(app, version), gone);
  return gone;
}

/** A path next to the versions that is not a version, and nobody else's. */
export function passingIn(app: string, name: string): string {
  return join(app, `${PASSING}${name}-${newId()}`);
}

/**
 * Says that this process runs from a version for long, and loads more of it when it needs it.
 * @param folder of the version
 * @returns takes the mark away
 */
export function markRunning(folder: string): () => void {
  const mark = join(folder, RUNNING, String(process.pid));
  mkdirSync(join(folder, RUNNING), { recursive: true, mode: 0o700 });
  writeFileSync(mark, '');
  return () => rmSync(mark, { force: true });
}

/** Whether a server runs from a version. @param folder of it */
function isRunning(folder: string): boolean {
  return namesIn(join(folder, RUNNING)).some((pid) => isAlive(Number(pid)));
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // A process of another account is one, too.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
