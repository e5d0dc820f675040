import {
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { unavailable } from '../../domain/error.ts';
import { otherThanFile } from '../../domain/file-kind.ts';
import { namesAnotherFile } from '../../files/journal.ts';

/** The files that SQLite keeps next to the memory while it is open: its log, and the index of the log. */
const SIDE_FILES = ['-wal', '-shm'] as const;

/** The log and its index next to a memory. */
export function sideFiles(location: string): string[] {
  return SIDE_FILES.map((ending) => location + ending);
}

/**
 * The file itself, behind any symbolic link, whether it exists yet or not: SQLite keeps its side files next to that one.
 */
export function realLocation(file: string): string {
  const location = resolve(file);
  try {
    return realpathSync(location);
  } catch {
    // There is no such file; a link to it may be there all the same.
    const target = targetOf(location);
    return target === undefined ? inRealFolder(location) : realLocation(resolve(dirname(location), target));
  }
}

/** The target of a symbolic link; undefined when it is not a link, or when that cannot be read. */
function targetOf(location: string): string | undefined {
  try {
    return readlinkSync(location);
  } catch {
    return undefined;
  }
}

function inRealFolder(location: string): string {
  try {
    return join(realpathSync(dirname(location)), location.slice(dirname(location).length));
  } catch {
    return location;
  }
}

/** @throws PrecedentError `unavailable` for what is there and no file: opening a pipe would wait for its other end */
export function requireFile(location: string): void {
  const found = otherThanFile(statusOf(location));
  if (found === undefined) return;
  throw unavailable.no_access(
    `The memory cannot be opened: expected a file, found ${found}. Name another place as db.`,
  );
}

/**
 * Looks at what SQLite opens by itself next to a database, before it does: a stranger may have put it there (Z-11).
 * @param file the database, or a link to it, whether it exists yet or not
 * @throws PrecedentError `unavailable` for anything but a regular file, and for a journal that names another file
 */
export function requireHarmless(file: string): void {
  const location = realLocation(file);
  const journal = `${location}-journal`;
  for (const side of [...sideFiles(location), `${location}-owner`, journal]) {
    const found = lstatSync(side, { throwIfNoEntry: false });
    const what = found?.isSymbolicLink() ? 'a link' : otherThanFile(found);
    if (what !== undefined)
      throw unavailable.altered(
        `Expected a file next to the memory, found ${what} at ${side}. Nothing was opened. If the memory is yours, remove that.`,
      );
    if (side === journal && namesAnotherFile(journal))
      throw unavailable.altered(
        `Expected a memory by itself, found next to it a journal that names another file, which SQLite would delete: ${journal}. Nothing was opened. Do not use a memory that somebody else prepared; if it is yours, move the journal away.`,
      );
  }
}

/** Undefined where there is nothing, or nothing that may be looked at: opening it will say so. */
function statusOf(location: string): Stats | undefined {
  try {
    return statSync(location, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/**
 * Gives a damaged file, and what is next to it, another name, so that a whole one may take its place.
 * @returns its new name
 */
export function setAside(location: string): string {
  let aside = `${location}.damaged`;
  for (let count = 2; existsSync(aside); count++) aside = `${location}.damaged${count}`;
  for (const ending of ['', ...SIDE_FILES, '-owner']) {
    if (existsSync(location + ending)) renameSync(location + ending, aside + ending);
  }
  return aside;
}

/** A memory is its owner's alone: file 0600, new folders 0700. SQLite gives its side files the same mode. */
export function createPrivately(location: string): void {
  makeFolder(dirname(location));
  closeSync(openSync(location, 'a', 0o600));
}

/** @throws what the system says of a file that may not be written, or is not there */
export function requireWritable(location: string): void {
  closeSync(openSync(location, 'r+'));
}

/** Step by step: Node's own recursive mkdir never returns on a file system that refuses, such as /proc. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process that opens the same new memory may have made it first.
    if (!existsSync(folder)) throw error;
  }
}

/** Size on disk, the write-ahead log included. */
export function bytesOf(location: string): number {
  const sizes = [location, `${location}-wal`].map(
    (file) => statSync(file, { throwIfNoEntry: false })?.size ?? 0,
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** The number by which the file system knows a file, whatever it is called; undefined for none. */
export function inodeOf(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.ino;
}

/** The names of the files next to a memory that go with it: its note, and the logs of earlier files of its name. */
export function besides(file: string): string[] {
  return readdirSync(dirname(file)).filter((name) => name.startsWith(`${basename(file)}-`));
}

/** Removes a memory that nobody has open, and what is next to it. */
export function removeFile(file: string): void {
  rmSync(file);
  for (const each of besides(file)) rmSync(join(dirname(file), each), { force: true });
}

/** How the file of any database begins. */
const HEADER = Buffer.from('SQLite format 3\0');

/** Whether these first bytes of a file are of a memory, or of a database of another program. */
export const beginsAsDatabase = (bytes: Buffer): boolean => bytes.subarray(0, HEADER.length).equals(HEADER);
