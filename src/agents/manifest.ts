import { join, sep } from 'node:path';
import { unavailable } from '../domain/error.ts';
import type { Ours } from './entry.ts';
import { bytesOf, makeFolders, removeEmpty, replaceFile } from './files.ts';

/** The entries of setup in one file of an agent. */
export interface Written extends Ours {
  agent: string;
  file: string;
}

/** The entries of setup on this machine: a file in the data folder. */
export interface Manifest {
  written: readonly Written[];
  /** Folders that were made for these files, the outer ones first. */
  folders: readonly string[];
}

/** @throws PrecedentError `unavailable` when it cannot be read, or a newer version wrote it */
export function readManifest(dataFolder: string): Manifest {
  const file = manifestIn(dataFolder);
  const bytes = bytesOf(file);
  if (bytes === undefined) return { written: [], folders: [] };
  try {
    const { version, written, folders } = JSON.parse(bytes.toString());
    if (version === 1 && Array.isArray(written) && Array.isArray(folders)) return { written, folders };
  } catch {
    // Said below.
  }
  throw unavailable.damaged(
    `The list of what setup wrote, ${file}, is damaged or of a newer version of Precedent. Remove it: setup and unsetup then find our entries by the program that they start.`,
  );
}

/**
 * Replaces the record of a file; undefined removes it, and the folders that nothing is in any more.
 * @param made folders that were made for it
 * @throws PrecedentError as {@link replaceFile}
 */
export function record(
  dataFolder: string,
  file: string,
  written: Written | undefined,
  made: readonly string[] = [],
): void {
  const known = readManifest(dataFolder);
  const isKnown = known.written.some((each) => each.file === file);
  const rest = known.written.flatMap((each) => (each.file !== file ? [each] : written ? [written] : []));
  const all = written && !isKnown ? [...rest, written] : rest;
  const folders = [...known.folders, ...made];
  const left = written ? folders : removeEmpty(folders);
  const kept = left.filter((folder) => all.some((each) => each.file.startsWith(folder + sep)));
  const list = manifestIn(dataFolder);
  const text = `${JSON.stringify({ version: 1, written: all, folders: kept }, null, 2)}\n`;
  if (all.length > 0) makeFolders(join(dataFolder, FOLDER));
  replaceFile(list, bytesOf(list), all.length > 0 ? Buffer.from(text) : undefined);
  if (all.length === 0) removeEmpty([join(dataFolder, FOLDER)]);
}

const FOLDER = 'setup';
/** The file that lists what setup wrote; there is none where it has nothing written. */
const manifestIn = (dataFolder: string): string => join(dataFolder, FOLDER, 'setup.json');
