import { PrecedentError } from '../domain/error.ts';
import type { MemoryCore } from '../memory/core.ts';
import { removeUnusedMemory } from '../memory/engines.ts';
import { signed } from './author.ts';
import { findHere, open, openExisting, openHere, rehearse, using, type Work, type Writer } from './open.ts';
import { log } from './output/print.ts';
import type { Place, PlaceOptions } from './place.ts';
import { changeRegistry, registryAtRest } from './repository/registry.ts';
import { newWorkspace } from './workspaces/unknown.ts';

/**
 * Opens the memory that is meant, creating it where there is none, and closes it when the work is done. Work that is
 * refused makes no memory (K-3): one that was made for it is removed, unless somebody saved in it meanwhile.
 * @param rehearsed a part of the work that is cheap, and done on an empty memory before one is created
 */
export async function withMemory<Result>(
  options: PlaceOptions,
  work: Work<Result>,
  rehearsed?: Work<unknown>,
): Promise<Result> {
  const writer = await signed();
  const { place, memory } = await openHere(options, { writer });
  if (memory) return using(memory, work);
  if (rehearsed) await rehearse(place, rehearsed);
  // What was made is said when it stays.
  const notes: string[] = [];
  const made = await madeHere(options, place, writer, (note) => notes.push(note));
  try {
    const result = await using(made.memory, work);
    notes.forEach(log);
    return result;
  } catch (error) {
    if (made.isNew) await removeMade(made.place);
    throw error;
  }
}

/** Somebody else who uses it already keeps it. */
async function removeMade(place: Place): Promise<void> {
  try {
    await removeUnusedMemory(place, log);
  } catch (error) {
    if (!(error instanceof PrecedentError)) throw error;
    log(`The new workspace "${place.workspace}" is left, empty: ${error.message}`);
  }
}

/**
 * Makes the memory that was not found.
 * @param say receives what is said before
 */
export async function createHere(
  options: PlaceOptions,
  missing: Place,
  writer: Writer,
  say: (message: string) => void,
): Promise<MemoryCore> {
  return (await madeHere(options, missing, writer, say)).memory;
}

/** @returns also the place that is meant by now; `isNew` unless the memory was there by then */
async function madeHere(
  options: PlaceOptions,
  missing: Place,
  writer: Writer,
  say: (message: string) => void,
): Promise<{ memory: MemoryCore; place: Place; isNew: boolean }> {
  const { home, repository } = missing;
  // For a memory that is named on a server, nothing of this machine is needed.
  const dataFolder = repository || home?.db === undefined ? home?.dataFolder : undefined;
  if (dataFolder === undefined) {
    say(await newWorkspace(missing));
    return { memory: await open(missing, writer, true), place: missing, isNew: true };
  }
  // It may be about to get another name: then it is there under that one.
  await registryAtRest(dataFolder);
  const place = await findHere(options);
  const renamed = await openExisting(place, writer);
  if (renamed) return { memory: renamed, place, isNew: false };
  say(await newWorkspace(place));
  return { memory: await makeLocked(dataFolder, place, writer), place, isNew: true };
}

/**
 * Makes a memory and lets it keep the first commits of its repository, before anybody else on this machine looks for it: one
 * that keeps none yet would be nobody's (Z-2).
 */
async function makeLocked(dataFolder: string, place: Place, writer: Writer): Promise<MemoryCore> {
  const made: MemoryCore[] = [];
  await changeRegistry(dataFolder, async (registry) => {
    const memory = await open(place, writer, true);
    made.push(memory);
    await place.repository?.begin(memory);
    return registry;
  });
  return made[0] as MemoryCore;
}
