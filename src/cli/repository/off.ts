import { isOfMemory, keyOf, type Off, type Opened, refuseAmong } from '../../memory/off.ts';
import { changeRegistry, isOfFolder, readRegistry } from './registry.ts';
import { folderAround } from './repository.ts';

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

/** @throws PrecedentError `unavailable` for a memory that is off, whoever asks for it */
export function refuseOff(memory: Opened, dataFolder: string | undefined): void {
  refuseAmong(readRegistry(dataFolder).off, memory, dataFolder);
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
