import { readFileSync, renameSync, rmSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { unavailable } from '../../domain/error.ts';
import { createPrivately, inodeOf, requireWritable, sideFiles } from './file.ts';
import { lock } from './lock.ts';

/*
 * A memory's log and the log's index are next to it under its name, and SQLite takes whatever is there for its own. When
 * the file is removed or replaced while a server has it open, the next process to open the name would join the log of the
 * old file: saves it acknowledges would be lost, or the file damaged (D-9). So each process
 * notes which log belongs to which file, and a log that belongs to another is put aside before the file is opened. Nothing
 * of it is deleted.
 */

/** Which file a memory is, and which log was made for it, by the file system's numbers. */
interface Owner {
  memory: number | undefined;
  /** When the file was made, in milliseconds: a number is given out again once its file is gone. */
  born: number | undefined;
  log: number | undefined;
}

/** How long to wait for another process that is putting the same log aside, in milliseconds. */
const PATIENCE = 10_000;

const ownerFile = (location: string) => `${location}-owner`;
const lockFile = (location: string) => `${location}-lock`;

/** Whether the files next to this name belong to a file that is no longer there. */
export function isLogForeign(location: string): boolean {
  const log = inodeOf(`${location}-wal`);
  if (log === undefined && inodeOf(`${location}-shm`) === undefined) return false;
  const memory = statSync(location, { throwIfNoEntry: false });
  if (memory === undefined) return true;
  const owner = readOwner(location);
  // A folder that was copied as a whole has new numbers for both: then they belong together.
  if (owner === undefined || owner.log !== log) return false;
  return owner.memory !== memory.ino || (owner.born !== undefined && owner.born !== memory.birthtimeMs);
}

/**
 * Puts aside what an earlier file of the name left next to a file, and makes the file when it is missing and may be made.
 * @returns the names under which the earlier file's log was put aside; empty when there was none
 */
export function claim(location: string, create: boolean): string[] {
  const make = () => (create ? createPrivately(location) : requireWritable(location));
  if (!isLogForeign(location)) {
    // A log that is made from here on may get the number of one that is noted.
    if (inodeOf(`${location}-wal`) === undefined) removeNote(location);
    make();
    return [];
  }
  const release = lock(lockFile(location), { patience: PATIENCE });
  if (!release) throw unavailable.busy('Another process has the memory.');
  try {
    // Another process may have done it while this one waited.
    const aside = isLogForeign(location) ? sideFiles(location).flatMap(putAside) : [];
    make();
    return aside;
  } finally {
    release();
  }
}

function removeNote(location: string): void {
  try {
    // Node's rmSync does not tell that a file system is read-only.
    unlinkSync(ownerFile(location));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
}

function putAside(file: string): string[] {
  const number = inodeOf(file);
  if (number === undefined) return [];
  const name = `${file}.${number}.old`;
  renameSync(file, name);
  return [name];
}

/** Notes that the log next to the memory belongs to it. Called while the memory is open, so that it has a log. */
export function noteOwner(location: string): void {
  const file = ownerFile(location);
  const partial = `${file}.${process.pid}`;
  try {
    const { ino: memory, birthtimeMs, ctimeMs } = statSync(location);
    // Some file systems keep no such time, and give the time of the last change in its place.
    const born = birthtimeMs < ctimeMs ? birthtimeMs : undefined;
    const owner: Owner = { memory, born, log: inodeOf(`${location}-wal`) };
    if (owner.log === undefined || JSON.stringify(readOwner(location)) === JSON.stringify(owner)) return;
    // Never through a link that a stranger put there.
    writeFileSync(partial, JSON.stringify(owner), { mode: 0o600, flag: 'wx' });
    renameSync(partial, file);
  } catch {
    // Without the note the log counts as the file's own, as it does with any SQLite.
    rmSync(partial, { force: true });
  }
}

function readOwner(location: string): Owner | undefined {
  try {
    return (JSON.parse(readFileSync(ownerFile(location), 'utf8')) as Owner | null) ?? undefined;
  } catch {
    return undefined;
  }
}

/**
 * Refuses to go on when the file was removed or replaced: what is written into the old one is lost.
 * @param memory the number of the file that was opened
 * @throws PrecedentError `unavailable`
 */
export function checkStillThere(location: string, memory: number | undefined, wasWritten: boolean): void {
  if (inodeOf(location) === memory) return;
  throw unavailable.replaced(
    `The memory file was removed or replaced while it was in use; ${wasWritten ? 'the last save is not in the new one' : 'nothing was written'}. Try again; with the library, open the memory first.`,
  );
}
