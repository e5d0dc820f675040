import { closeSync, existsSync, mkdirSync, openSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { PrecedentError } from '../../domain/error.ts';

/** What SQLite keeps beside the file while it is open. */
const SIDE_FILES = ['-wal', '-shm'];

/** A memory is its owner's alone: file 0600, new folders 0700. SQLite gives its side files the same mode. */
export function createPrivately(location: string): void {
  makeFolder(dirname(location));
  closeSync(openSync(location, 'a', 0o600));
}

/** Step by step: Node's own recursive mkdir never returns on a file system that refuses, such as /proc. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process that opens the same new memory may have created it first.
    if (!existsSync(folder)) throw error;
  }
}

/** The file system's number of each file, by path: tells a replaced file from the one that was opened. */
type Identity = Map<string, number | undefined>;

export function identityOf(location: string): Identity {
  const files = location === ':memory:' ? [] : [location, ...SIDE_FILES.map((ending) => location + ending)];
  return new Map(files.map((file) => [file, inodeOf(file)]));
}

/**
 * Refuses to go on when the file was deleted or replaced: what is written into the old file would be lost. The rest of
 * the old log is moved aside, since SQLite would apply it to the new file.
 */
export function checkStillThere(location: string, identity: Identity): void {
  if (location === ':memory:') return;
  const sides = SIDE_FILES.map((ending) => location + ending);
  if (inodeOf(location) === identity.get(location)) {
    // SQLite creates these with the first transaction, so they are not known from the start.
    for (const file of sides) if (identity.get(file) === undefined) identity.set(file, inodeOf(file));
    return;
  }
  for (const file of sides) {
    const known = identity.get(file);
    if (known !== undefined && inodeOf(file) === known) renameSync(file, `${file}.${known}.old`);
  }
  throw new PrecedentError(
    'unavailable',
    'The memory file was deleted or replaced while it was in use; nothing was written. Try again: it is opened again.',
  );
}

/** Size on disk, the write-ahead log included. */
export function bytesOf(location: string): number {
  const sizes = [location, `${location}-wal`].map(
    (file) => statSync(file, { throwIfNoEntry: false })?.size ?? 0,
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

function inodeOf(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.ino;
}
