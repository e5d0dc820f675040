import { join } from 'node:path';
import { unavailable } from '../domain/error.ts';
import type { Ours } from './entry.ts';
import { bytesOf, makeFolders, removeEmpty, replaceFile, requireBytes } from './files.ts';
import type { Undo } from './undo.ts';

/** What setup has in one file of an agent. */
export interface Written extends Ours {
  agent: string;
  file: string;
  /** A digest of the file as setup left it. */
  after: string;
  /** The way back from the file as setup left it, where one was there before and only setup has written into it since. */
  wayBack?: Undo;
  /** Folders that were made for it, the outer ones first. */
  folders: string[];
}

/** What setup has written on this machine: a file in the data folder. */
export interface Manifest {
  folder: string;
  written: readonly Written[];
  /** The list as it was read; undefined where there was none. Who changes it has to know that it still says this. */
  bytes: Buffer | undefined;
}

/** @throws PrecedentError `unavailable` when it cannot be read, or a newer version wrote it */
export function readManifest(dataFolder: string): Manifest {
  const folder = join(dataFolder, 'setup');
  const file = join(folder, FILE);
  const bytes = bytesOf(file);
  if (bytes === undefined) return { folder, written: [], bytes };
  try {
    const { version, written } = JSON.parse(bytes.toString());
    if (version === 1 && Array.isArray(written)) return { folder, written, bytes };
  } catch {
    // Said below.
  }
  throw unavailable.damaged(
    `The list of what setup wrote, ${file}, is damaged or of a newer version of Precedent.`,
  );
}

/** @throws PrecedentError `conflict` when another process has changed the list since it was read */
export function requireUnchanged({ folder, bytes }: Manifest): void {
  requireBytes(join(folder, FILE), bytes);
}

/**
 * Replaces the record of that file; undefined removes it.
 * @returns the manifest as it is now
 * @throws PrecedentError as {@link replaceFile}: `conflict` keeps what another setup has put on the list meanwhile
 */
export function record(manifest: Manifest, file: string, written: Written | undefined): Manifest {
  const { folder } = manifest;
  const isKnown = manifest.written.some((each) => each.file === file);
  const known = manifest.written.flatMap((each) => (each.file !== file ? [each] : written ? [written] : []));
  const all = written && !isKnown ? [...known, written] : known;
  const path = join(folder, FILE);
  if (all.length === 0) {
    replaceFile(path, manifest.bytes, undefined);
    removeEmpty([folder]);
    return { folder, written: all, bytes: undefined };
  }
  makeFolders(folder);
  const bytes = Buffer.from(`${JSON.stringify({ version: 1, written: all }, null, 2)}\n`);
  replaceFile(path, manifest.bytes, bytes);
  return { folder, written: all, bytes };
}

/** The file that lists what setup wrote; there is none where it has nothing written. */
const FILE = 'setup.json';
