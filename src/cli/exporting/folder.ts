import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { PrecedentError } from '../../domain/error.ts';
import { otherThanFile } from '../../domain/file-kind.ts';
import { hashOf, MANIFEST, type Manifest, readManifest, writeManifest } from './manifest.ts';

/** Files lie here until all of them are written; what is left of it by a process that was killed is removed. */
const PART = '.precedent-export.part';
/** Files that a message names. */
const NAMED = 5;

/** What an export did to its folder. */
export interface Exported {
  folder: string;
  files: number;
  /** New, or other than they were. */
  written: number;
  unchanged: number;
  /** Files of an earlier export that this one does not have. */
  removed: number;
  /** Such files that somebody has changed since: they stay. */
  left: string[];
}

/**
 * Fills a folder with the files of an export, all or nothing: what an earlier export wrote is renewed or removed, and what
 * anybody else wrote is never touched.
 * @param fill calls back with each file, its path with `/`
 * @throws PrecedentError `conflict`, naming what it would have written over; `invalid` where the path is no folder
 */
export async function fillFolder(
  path: string,
  fill: (write: (file: { path: string; text: string }) => void) => Promise<void>,
): Promise<Exported> {
  const folder = resolve(path);
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found && !(found.isDirectory() || found.isSymbolicLink())) {
    throw new PrecedentError(
      'invalid',
      `Expected a folder for the export, found ${otherThanFile(found) ?? 'a file'} at ${folder}.`,
    );
  }
  const made = mkdirSync(folder, { recursive: true });
  const part = join(folder, PART);
  try {
    rmSync(part, { recursive: true, force: true });
    const hashes = new Map<string, string>();
    await fill(({ path: file, text }) => {
      const staged = join(part, file);
      mkdirSync(dirname(staged), { recursive: true });
      writeFileSync(staged, text);
      hashes.set(file, hashOf(text));
    });
    return publish(folder, part, hashes);
  } catch (error) {
    if (made !== undefined) rmSync(made, { recursive: true, force: true });
    throw error;
  } finally {
    rmSync(part, { recursive: true, force: true });
  }
}

function publish(folder: string, part: string, hashes: Map<string, string>): Exported {
  const before = readManifest(folder);
  const changed = [...hashes].filter(([file, hash]) => hashAt(folder, file) !== hash).map(([file]) => file);
  refuseOthers(folder, changed, before);
  const { paths, hashes: own } = before as Manifest;
  const gone = [...new Set(paths)].filter((file) => !hashes.has(file));
  const left = gone.filter((file) => isThere(folder, file) && !own.has(hashAt(folder, file) ?? ''));
  const removed = gone.filter((file) => isThere(folder, file) && !left.includes(file));
  // Killed between two files, the next export still knows them for its own.
  const old = [...changed, ...removed].flatMap((file) => {
    const hash = hashAt(folder, file);
    return hash === undefined ? [] : [[file, hash] as const];
  });
  writeManifest(folder, [...hashes, ...old]);
  for (const file of changed) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    renameSync(join(part, file), join(folder, file));
  }
  for (const file of removed) {
    rmSync(join(folder, file));
    removeIfEmpty(folder, dirname(file));
  }
  writeManifest(folder, hashes);
  const unchanged = hashes.size - changed.length;
  return { folder, files: hashes.size, written: changed.length, unchanged, removed: removed.length, left };
}

/** @throws PrecedentError `conflict` for files that no export wrote, or that were changed since */
function refuseOthers(folder: string, changed: string[], before: Manifest | undefined): void {
  const others = before
    ? changed.filter((file) => isInTheWay(folder, file) || isOther(folder, file, before))
    : [MANIFEST];
  if (others.length === 0) return;
  const more = others.length > NAMED ? ` and ${others.length - NAMED} more` : '';
  throw new PrecedentError(
    'conflict',
    `Expected nothing in the way of the export, found ${others.slice(0, NAMED).join(', ')}${more} in ${folder}, which no export wrote or somebody changed since. Nothing was written: choose another folder, or move them away.`,
  );
}

const isThere = (folder: string, file: string) =>
  lstatSync(join(folder, file), { throwIfNoEntry: false }) !== undefined;

function isOther(folder: string, file: string, { hashes }: Manifest): boolean {
  return isThere(folder, file) && !hashes.has(hashAt(folder, file) ?? '');
}

/** A folder on the way to a file is one, and no link to another place. */
function isInTheWay(folder: string, file: string): boolean {
  for (let at = dirname(file); at !== '.'; at = dirname(at)) {
    const found = lstatSync(join(folder, at), { throwIfNoEntry: false });
    if (found && !found.isDirectory()) return true;
  }
  return false;
}

/** Undefined where there is no file, or a link to one. */
function hashAt(folder: string, file: string): string | undefined {
  const path = join(folder, file);
  const found = isInTheWay(folder, file) ? undefined : lstatSync(path, { throwIfNoEntry: false });
  return found?.isFile() ? hashOf(readFileSync(path, 'utf8')) : undefined;
}

function removeIfEmpty(folder: string, inner: string): void {
  const path = join(folder, inner);
  if (inner !== '.' && existsSync(path) && readdirSync(path).length === 0) rmdirSync(path);
}
