import { randomUUID } from 'node:crypto';
import { PrecedentError } from '../domain/error.ts';
import type { Log } from '../domain/log.ts';
import { describeDatabase, memoryExists } from '../memory/engines.ts';
import { type Memory, type MemoryOptions, openMemory } from '../memory/memory.ts';
import { operations } from '../operations/index.ts';
import { authorHere } from './author.ts';
import { findEmbedder, findPlace, type Place, type PlaceOptions } from './place.ts';
import { log } from './print.ts';
import type { RepositoryMemory } from './repository/repository.ts';

/** A database that is gone when it is closed. */
const IN_MEMORY = ':memory:';

/** Opens the memory that is meant, creating it where there is none, and closes it when the work is done. */
export async function withMemory<Result>(
  options: PlaceOptions,
  work: (memory: Memory) => Promise<Result>,
): Promise<Result> {
  return using(await open(await findHere(options), { ...writerHere(), ...(await signature()) }), work);
}

/**
 * {@link withMemory} for work that only reads: nothing is created (K-2). Where nothing was saved yet, the work sees an
 * empty memory.
 * @throws PrecedentError `not_found` for a memory that was named, since the name may be mistyped
 */
export async function withMemoryToRead<Result>(
  options: PlaceOptions,
  work: (memory: Memory) => Promise<Result>,
): Promise<Result> {
  const place = await findHere(options);
  if (await isThere(place)) return using(await open(place, writerHere()), work);
  if (place.isNamed) throw noMemory(shown(place));
  const result = await using(await emptyMemory(place), work);
  log(`Nothing was saved yet in workspace "${place.workspace}".`);
  return result;
}

/**
 * Opens the memory that is meant for a server, whose clients say with each call who they are. Reads create nothing: until
 * something is saved, they see an empty memory (K-2).
 */
export async function openForServer(options: PlaceOptions): Promise<Memory> {
  const place = await findHere(options);
  if (await isThere(place)) return open(place, undefined);
  const empty = await emptyMemory(place);
  let saved: Promise<Memory> | undefined;
  const call: Memory['call'] = async (name, input, writer) => {
    if (saved === undefined && (isWrite(name) || (await isThere(place)))) saved = open(place, undefined);
    return (await (saved ?? empty)).call(name, input, writer);
  };
  const close = async () => {
    await empty.close();
    await saved?.then((memory) => memory.close());
  };
  return { ...empty, call, close };
}

async function using<Result>(memory: Memory, work: (memory: Memory) => Promise<Result>): Promise<Result> {
  try {
    return await work(memory);
  } finally {
    await memory.close();
  }
}

/** What a memory that nobody has saved in answers. */
function emptyMemory({ workspace }: Place): Promise<Memory> {
  return openMemory({ db: IN_MEMORY, workspace });
}

async function isThere(place: Place): Promise<boolean> {
  return place.db === IN_MEMORY || memoryExists(place);
}

function isWrite(name: string): boolean {
  return operations.some((each) => each.name === name && each.access === 'write');
}

/** Who saves here: asked for where something is saved, since git may be slow. */
async function signature(): Promise<{ author: string }> {
  return { author: await authorHere(process.env) };
}

function writerHere() {
  return { session: process.env.PRECEDENT_SESSION ?? randomUUID(), client: 'cli' };
}

/** Where the memory that is meant will be, when nothing was saved in it yet; undefined when it exists. */
export async function placeWithoutMemory(options: PlaceOptions): Promise<string | undefined> {
  const place = await findHere(options);
  return (await memoryExists(place)) ? undefined : shown(place);
}

/** @throws PrecedentError `not_found` when nothing was saved there yet: a mistyped path makes no memory */
export async function requireMemory(options: PlaceOptions): Promise<void> {
  const location = await placeWithoutMemory(options);
  if (location !== undefined) throw noMemory(location);
}

function noMemory(location: string): PrecedentError {
  return new PrecedentError(
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

async function open(place: Place, writer: MemoryOptions['writer']): Promise<Memory> {
  const embedder = findEmbedder(process.env);
  // On the command line the answer holds the warnings; a server's clients see the answer, its operator the log.
  const isServer = writer === undefined;
  const quiet: Log = (message, level) => (level === 'error' ? log(message) : undefined);
  try {
    const { db, workspace, repository } = place;
    const memory = await openMemory({
      db,
      workspace,
      ...(embedder && { embedder }),
      ...(writer && { writer }),
      log: isServer ? log : quiet,
    });
    const signed = isServer ? signing(memory) : memory;
    return repository ? learning(signed, repository) : signed;
  } catch (error) {
    throw isServer ? error : withPath(place.db, error);
  }
}

/** A memory that learns with the first save who uses it (K-4). */
function signing(memory: Memory): Memory {
  const call: Memory['call'] = async (name, input, writer) =>
    memory.call(name, input, isWrite(name) ? { ...(await signature()), ...writer } : writer);
  return { ...memory, call };
}

/** The error of opening a memory, for a person: it says which file is meant. */
export function withPath(db: string, error: unknown): unknown {
  if (!(error instanceof PrecedentError) || describeDatabase(db).kind !== 'file') return error;
  const { code, message, reason } = error;
  return new PrecedentError(code, `${message}\nPath of the file: ${db}`, { cause: error, reason });
}

/** A memory whose first save is remembered as that of the repository, and said where the repository has changed (K-1). */
function learning(memory: Memory, { note, learn }: RepositoryMemory): Memory {
  let isLearnt = false;
  const call: Memory['call'] = async (name, input, writer) => {
    const result = await memory.call(name, input, writer);
    if (!isLearnt && isWrite(name)) {
      isLearnt = true;
      // The save stands, whatever becomes of this.
      await learn().catch((error: Error) => log(`The repository was not remembered: ${error.message}`));
      if (note !== undefined) log(note);
    }
    return result;
  };
  return { ...memory, call };
}
