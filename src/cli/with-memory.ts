import { PrecedentError } from '../domain/error.ts';
import type { MemoryCore } from '../memory/core.ts';
import { removeUnusedMemory } from '../memory/engines.ts';
import { signed } from './author.ts';
import { dryRun, findHere, open, openExisting, openHere, using, type Work, type Writer } from './open.ts';
import { log } from './output/print.ts';
import { foundAgain, type Place, type PlaceOptions } from './place.ts';
import { keepFirstCommits } from './repository/learn.ts';
import { changeRegistry } from './repository/registry.ts';
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
  if (rehearsed) await dryRun(place, rehearsed);
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
  const found = await findHere(options);
  let made: Awaited<ReturnType<typeof madeHere>> | undefined;
  // Of several processes that make one, or give one another name, each sees what those before it did; and nobody sees one
  // that keeps no first commits yet, which would be nobody's (Z-2).
  await changeRegistry(dataFolder, async (registry) => {
    const place = await foundAgain(found);
    const there = await openExisting(place, writer);
    if (there) {
      made = { memory: there, place, isNew: false };
      return registry;
    }
    say(await newWorkspace(place));
    const memory = await open(place, writer, true);
    made = { memory, place, isNew: true };
    if (place.repository) await keepFirstCommits(memory, place.repository);
    return registry;
  });
  return made as NonNullable<typeof made>;
}
