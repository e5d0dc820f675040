import { randomUUID } from 'node:crypto';
import { PrecedentError } from '../domain/error.ts';
import type { Log } from '../domain/log.ts';
import { describeDatabase, memoryExists } from '../memory/engines.ts';
import { type Memory, openMemory } from '../memory/memory.ts';
import { operations } from '../operations/index.ts';
import { findEmbedder, findPlace, type Place, type PlaceOptions } from './place.ts';
import { log } from './print.ts';
import type { RepositoryMemory } from './repository/repository.ts';

/** Opens the memory that is meant, and closes it when the work is done. */
export async function withMemory<Result>(
  options: PlaceOptions,
  work: (memory: Memory) => Promise<Result>,
): Promise<Result> {
  const author = { session: process.env.PRECEDENT_SESSION ?? randomUUID(), client: 'cli' };
  const memory = await open(options, author);
  try {
    return await work(memory);
  } finally {
    await memory.close();
  }
}

/** Opens the memory that is meant for a server, whose clients say with each call who they are. */
export function openForServer(options: PlaceOptions): Promise<Memory> {
  return open(options, undefined);
}

/** Where the memory that is meant will be, when nothing was saved in it yet; undefined when it exists. */
export async function placeWithoutMemory(options: PlaceOptions): Promise<string | undefined> {
  const place = await findHere(options);
  return (await memoryExists(place)) ? undefined : shown(place);
}

/** @throws PrecedentError `not_found` when nothing was saved there yet: a mistyped path makes no memory */
export async function requireMemory(options: PlaceOptions): Promise<void> {
  const location = await placeWithoutMemory(options);
  if (location !== undefined)
    throw new PrecedentError(
      'not_found',
      `Expected a memory, found none at ${location}. Name another one with --db or --workspace.`,
    );
}

/** {@link findPlace} for this process: its environment and its working folder. */
export async function findHere(options: PlaceOptions): Promise<Place> {
  return findPlace(options, process.env, workingFolder());
}

function workingFolder(): string {
  try {
    return process.cwd();
  } catch (cause) {
    throw new PrecedentError(
      'unavailable',
      'Expected a working folder, found that it was removed. Change to one that exists.',
      { cause },
    );
  }
}

/** A place as a person may see it: the address of a server may hold a password. */
export function shown({ db, workspace }: Place): string {
  const database = describeDatabase(db);
  return database.kind === 'file' ? database.shown : `${database.shown}, workspace "${workspace}"`;
}

async function open(
  options: PlaceOptions,
  author: { session: string; client: string } | undefined,
): Promise<Memory> {
  const place = await findHere(options);
  const embedder = findEmbedder(process.env);
  // On the command line the answer holds the warnings; a server's clients see the answer, its operator the log.
  const isServer = author === undefined;
  const quiet: Log = (message, level) => (level === 'error' ? log(message) : undefined);
  try {
    const { db, workspace, repository } = place;
    const memory = await openMemory({
      db,
      workspace,
      ...(embedder && { embedder }),
      ...(author && { author }),
      log: isServer ? log : quiet,
    });
    return repository ? learning(memory, repository) : memory;
  } catch (error) {
    const isFile = describeDatabase(place.db).kind === 'file';
    if (isServer || !(error instanceof PrecedentError) || !isFile) throw error;
    throw new PrecedentError(error.code, `${error.message}\nPath of the file: ${place.db}`, {
      cause: error,
      reason: error.reason,
    });
  }
}

/** A memory whose first save is remembered as that of the repository, and said where the repository has changed (K-1). */
function learning(memory: Memory, { note, learn }: RepositoryMemory): Memory {
  let isLearnt = false;
  const call: Memory['call'] = async (name, input, author) => {
    const result = await memory.call(name, input, author);
    if (!isLearnt && operations.some((each) => each.name === name && each.access === 'write')) {
      isLearnt = true;
      // The save stands, whatever becomes of this.
      await learn().catch((error: Error) => log(`The repository was not remembered: ${error.message}`));
      if (note !== undefined) log(note);
    }
    return result;
  };
  return { ...memory, call };
}
