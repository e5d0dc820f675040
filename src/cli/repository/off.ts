import { basename, dirname, extname } from 'node:path';
import { type PrecedentError, unavailable } from '../../domain/error.ts';
import { realOrSame } from '../../git/folder.ts';
import { describeDatabase } from '../../memory/engines.ts';
import { changeRegistry, isOfFolder, type Off, readRegistry } from './registry.ts';
import { folderAround } from './repository.ts';

/** A memory, as it is opened. */
interface Opened {
  db: string;
  workspace: string;
}

/**
 * What says that nothing is shown or kept here (V-6): entries of the folder, wherever it was moved, whatever memory is named
 * there; and entries of the memory, whoever asks for it.
 * @param memory the one that is meant; undefined for that of another machine
 * @returns empty where Precedent is on
 */
export function offHere(memory: Opened | undefined, cwd: string, dataFolder: string | undefined): Off[] {
  const { off } = readRegistry(dataFolder);
  if (off.length === 0) return [];
  const folder = folderAround(cwd);
  return off.filter((each) => isOfFolder(each, folder) || (memory && isOfMemory(each, memory, dataFolder)));
}

function isOfMemory(off: Off, memory: Opened, dataFolder: string | undefined): boolean {
  const { db, workspace } = keyOf(memory, dataFolder);
  return off.workspace === workspace && off.db === db;
}

/** A memory as the registry calls it: one of the data folder by its name alone. */
function keyOf({ db, workspace }: Opened, dataFolder: string | undefined) {
  const { kind, shown } = describeDatabase(db);
  if (kind === 'server') return { workspace, db: shown };
  const file = realOrSame(db);
  const isAtHome = dataFolder !== undefined && realOrSame(dirname(db)) === realOrSame(dataFolder);
  return isAtHome ? { workspace: basename(file, extname(file)).normalize('NFC') } : { workspace, db: file };
}

/** @throws PrecedentError `unavailable` for a memory that is off, whoever asks for it */
export function refuseOff(memory: Opened, dataFolder: string | undefined): void {
  if (readRegistry(dataFolder).off.some((each) => isOfMemory(each, memory, dataFolder)))
    throw itIsOff(memory.workspace);
}

/** The refusal of everything that would read or save. */
export function itIsOff(workspace: string): PrecedentError {
  return unavailable(
    `Precedent is off on this machine for this folder or its memory "${workspace}", so nothing is read or saved; "precedent on" in that folder turns it on again.`,
  );
}

/** Turns a folder and its memory off. @param here the folder; undefined for a memory that is named */
export async function turnOff(
  memory: Opened,
  here: { folder: string; identity: string } | undefined,
  dataFolder: string,
): Promise<void> {
  const { folder, identity } = here ?? {};
  const entry: Off = { ...(folder !== undefined && { folder, identity }), ...keyOf(memory, dataFolder) };
  await changeRegistry(dataFolder, (registry) => ({ ...registry, off: [...registry.off, entry] }));
}

/** Turns a folder on, and the memory that is meant there. */
export async function turnOn(memory: Opened, cwd: string, dataFolder: string): Promise<void> {
  const folder = folderAround(cwd);
  await changeRegistry(dataFolder, (registry) => ({
    ...registry,
    off: registry.off.filter((each) => !isOfFolder(each, folder) && !isOfMemory(each, memory, dataFolder)),
  }));
}
