import { isDeepStrictEqual } from 'node:util';
import { isEverywhere, isOfMemory, keyOf, type Off, type Opened, refuseAmong } from '../../memory/off.ts';
import { changeRegistry, isOfFolder, readRegistry } from './registry.ts';
import { folderAround } from './repository.ts';

/**
 * What says that nothing is shown or kept here (V-6): entries of the folder, wherever it was moved, whatever memory is named
 * there; and entries of the memory, whoever asks for it.
 * @param memory the one that is meant; undefined for that of another machine
 * @returns empty where Precedent is on
 */
export function offHere(memory: Opened | undefined, cwd: string, dataFolder: string | undefined): Off[] {
  return matching(
    cwd,
    dataFolder,
    (each, isHere) =>
      each.only === undefined && (isHere || (memory !== undefined && isOfMemory(each, memory, dataFolder))),
  );
}

/** What of hooks is off in a folder. */
export function hooksOffHere(cwd: string, dataFolder: string | undefined): Off[] {
  return matching(cwd, dataFolder, (each, isHere) => each.only !== undefined && isHere);
}

function matching(
  cwd: string,
  dataFolder: string | undefined,
  isMeant: (off: Off, isHere: boolean) => boolean,
): Off[] {
  const { off } = readRegistry(dataFolder);
  if (off.length === 0) return [];
  const folder = folderAround(cwd);
  return off.filter((each) => isMeant(each, isEverywhere(each) || isOfFolder(each, folder)));
}

/** @throws PrecedentError `unavailable` for a memory that is off, whoever asks for it */
export function refuseOff(memory: Opened, dataFolder: string | undefined): void {
  refuseAmong(readRegistry(dataFolder).off, memory, dataFolder);
}

/** What a person turns off or on. */
interface Switched {
  memory: Opened;
  /** The working folder. */
  cwd: string;
  /** Whether every folder is meant. */
  everywhere: boolean;
}

/**
 * Turns a folder and its memory off, or a part of the hooks there.
 * @param here the folder; undefined for a memory that is named
 * @returns whether it was on
 */
export async function turnOff(
  { memory, cwd, everywhere }: Switched,
  only: Off['only'],
  here: { folder: string; identity: string } | undefined,
  dataFolder: string,
): Promise<boolean> {
  const { folder, identity } = only ? folderAround(cwd) : (here ?? {});
  const entry: Off = {
    ...(!everywhere && folder !== undefined && { folder, ...(identity !== undefined && { identity }) }),
    ...(!everywhere && !only && keyOf(memory, dataFolder)),
    ...(only && { only }),
  };
  let wasOn = false;
  await changeRegistry(dataFolder, (registry) => {
    wasOn = !registry.off.some((each) => isDeepStrictEqual(each, entry));
    return wasOn ? { ...registry, off: [...registry.off, entry] } : registry;
  });
  return wasOn;
}

/**
 * Turns a folder on with its hooks, and the memory that is meant there; or what was turned off everywhere.
 * @returns whether anything was off
 */
export async function turnOn({ memory, cwd, everywhere }: Switched, dataFolder: string): Promise<boolean> {
  const folder = folderAround(cwd);
  const isMeant = (each: Off) =>
    isEverywhere(each) ? everywhere : isOfFolder(each, folder) || isOfMemory(each, memory, dataFolder);
  if (!readRegistry(dataFolder).off.some(isMeant)) return false;
  await changeRegistry(dataFolder, (registry) => ({
    ...registry,
    off: registry.off.filter((each) => !isMeant(each)),
  }));
  return true;
}
