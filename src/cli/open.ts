import { inWorkspace, PrecedentError, unavailable } from '../domain/error.ts';
import type { Log } from '../domain/log.ts';
import { dataFolderHere } from '../files/data-folder.ts';
import { here } from '../files/surroundings.ts';
import * as questions from '../git/questions.ts';
import { type MemoryCore, type MemoryOptions, openCore } from '../memory/core.ts';
import { describeDatabase, findNamed, IN_MEMORY, removeUnusedMemory } from '../memory/engines.ts';
import { itIsOff } from '../memory/off.ts';
import { loadOperation } from '../operations/load.ts';
import { signature, signed, writerHere } from './author.ts';
import { log } from './output/print.ts';
import { withProgressBar } from './output/progress.ts';
import { findPlace, foundAgain, type Place, type PlaceOptions } from './place.ts';
import { atHome, memoryAt } from './repository/home.ts';
import { keepFirstCommits, learnRepository } from './repository/learn.ts';
import { refuseOff } from './repository/off.ts';
import { changeRegistry, isRegistryThere, withEntry } from './repository/registry.ts';
import type { Asking, RepositoryMemory } from './repository/repository.ts';
import { findEmbedder, sharedEmbedder } from './settings.ts';
import { namedAt, newWorkspace, noMemory } from './workspaces/memories.ts';

/**
 * Opens a memory as a command needs it: an operation is loaded when it is called, and no other.
 * @throws PrecedentError `unavailable` for one that is off (V-6)
 */
export async function openLazily(
  options: MemoryOptions & { db: string; workspace?: string },
): Promise<MemoryCore> {
  const { db, workspace = describeDatabase(db).workspace } = options;
  refuseOff({ db, workspace }, dataFolderHere());
  return openCore(options, loadOperation);
}

export type Work<Result> = (memory: MemoryCore) => Promise<Result>;
/** Who writes; undefined for a server, whose clients say it with each call. */
export type Writer = MemoryOptions['writer'];

/** Does work on an empty memory that is dropped afterwards. @throws what the work is refused with */
export async function dryRun(place: Place, work: Work<unknown>): Promise<void> {
  await using(await emptyMemory(place), work);
}

/**
 * Looks once more for a memory that was not found: it may have been renamed since (K-3).
 * @returns the place that is meant now, and the memory, where there is one
 */
export async function findRenamed(
  options: PlaceOptions,
  missing: Place,
  writer: Writer,
): Promise<{ place: Place; memory: MemoryCore | undefined }> {
  const dataFolder = missing.home?.dataFolder;
  if (dataFolder === undefined || !(await isRegistryThere(dataFolder)))
    return { place: missing, memory: undefined };
  const place = await findHere(options);
  return { place, memory: await openExisting(place, writer) };
}

/** A memory that was opened for one piece of work. */
interface Opened extends MemoryCore {
  /** What is done or said once the work has ended. */
  ended?(isDone: boolean): Promise<void>;
}

interface Opening {
  /**
   * What is opened where there is no memory. `new`: one is made, and removed again if the work is refused, unless somebody
   * saved in it meanwhile (K-3). `never`: none. `read`: an empty one, unless a memory was named, since the name may be
   * mistyped (K-2). `try`: an empty one.
   */
  create: 'new' | 'never' | 'read' | 'try';
  /** Default: for what may write, who asks; else this process, of no author. */
  writer?: Writer;
  /** A part of the work that is cheap, and done on an empty memory before one is created. */
  rehearsed?: Work<unknown>;
}

/**
 * Opens the memory that is meant, for {@link using}.
 * @throws PrecedentError `not_found` where there is none, unless `create` says what is opened instead
 */
export async function open(options: PlaceOptions, { create, rehearsed, ...given }: Opening): Promise<Opened> {
  const mayWrite = create === 'new' || create === 'never';
  const writer = given.writer ?? (mayWrite ? await signed() : writerHere());
  const { place, memory } = await openHere(options, { writer });
  if (memory) return memory;
  if (create === 'never' || (create === 'read' && place.isNamed)) throw await noMemory(place);
  if (create === 'try') return emptyMemory(place);
  if (create === 'read') {
    const nothing = `Nothing was saved yet in workspace "${place.workspace}". Begin with "precedent decide TOPIC TEXT", or take over what is written here: "precedent import --from auto".`;
    return { ...(await emptyMemory(place)), ended: async (isDone) => void (isDone && log(nothing)) };
  }
  if (rehearsed) await dryRun(place, rehearsed);
  // What was made is said when it stays.
  const notes: string[] = [];
  const made = await makeHere(options, place, writer, (note) => notes.push(note));
  const ended = async (isDone: boolean) => {
    if (isDone) notes.forEach(log);
    else if (made.isNew) await removeMade(made.place);
  };
  return { ...made.memory, ended };
}

/** Works on a memory, and closes it. @throws PrecedentError that of the work, naming the workspace */
export async function using<Result>(memory: Opened, work: Work<Result>): Promise<Result> {
  let isDone = false;
  try {
    const result = await work(memory);
    isDone = true;
    return result;
  } catch (error) {
    throw error instanceof PrecedentError ? inWorkspace(error, memory.workspace) : error;
  } finally {
    await memory.close();
    await memory.ended?.(isDone);
  }
}

/**
 * Opens the memory that is meant, where there is one, and says on standard error how its repository was recognized (K-1).
 * @param isSaid whether the answer says so already
 * @param writer default: this process, of no author
 */
export async function openHere(
  options: PlaceOptions,
  { isSaid = false, writer = writerHere() }: { isSaid?: boolean; writer?: Writer } = {},
): Promise<{ place: Place; memory: MemoryCore | undefined }> {
  const found = await findHere(options);
  const opened = await openExisting(found, writer);
  const { place, memory } = opened
    ? { place: found, memory: opened }
    : await findRenamed(options, found, writer);
  const note = place.repository?.note;
  if (note !== undefined && !isSaid) log(note);
  return { place, memory };
}

/** A memory without records, for reads where nothing was saved yet. */
export function emptyMemory({ workspace }: Place): Promise<MemoryCore> {
  return openLazily({ db: IN_MEMORY, workspace });
}

/** Whether an operation of this name writes. */
const isWrite = async (name: string) => (await loadOperation(name)).access === 'write';

/** {@link findEvenOff} for who reads or saves. @throws PrecedentError `unavailable` where that is off (V-6) */
export async function findHere(options: PlaceOptions): Promise<Place> {
  const place = await findEvenOff(options);
  if (place.off.length > 0) throw itIsOff(place.workspace, place.off);
  return place;
}

/** {@link findPlace} for this process: its environment and its working folder. */
export async function findEvenOff(options: PlaceOptions): Promise<Place> {
  return findPlace(options, here().env, workingFolder(), asking);
}

/** How this process asks about a folder. A memory that cannot be read counts as one without first commits. */
export const asking: Asking = {
  ...questions,
  async keptBy(place) {
    try {
      return await using(await openLazily({ ...place, create: false }), (memory) => memory.firstCommits());
    } catch {
      return [];
    }
  },
  remember: (dataFolder, found) => changeRegistry(dataFolder, withEntry(found, found)),
};

function workingFolder(): string {
  try {
    return here().cwd();
  } catch (cause) {
    throw unavailable.folder_gone(
      'Expected a working folder, found that it was removed. Change to one that exists.',
      {
        cause,
      },
    );
  }
}

/** A place as a person may see it: the address of a server may hold a password. */
export function shown({ db, workspace }: Pick<Place, 'db' | 'workspace'>): string {
  const database = describeDatabase(db);
  return database.kind === 'file' ? database.shown : `${database.shown}, workspace "${workspace}"`;
}

/** The memory at a place, also when another machine gave it another name since; undefined when there is none. */
export async function openExisting(place: Place, writer: Writer): Promise<MemoryCore | undefined> {
  const isMissing = (error: unknown) => {
    if (error instanceof PrecedentError && error.code === 'not_found') return undefined;
    throw error;
  };
  const found = await openAt(place, writer, false).catch(isMissing);
  const { home, repository, workspace } = place;
  if (found || !home || !(repository || place.isNamed)) return found;
  const all = await atHome(home, (workspaces) =>
    repository ? workspaces.list() : namedAt(home, workspaces),
  );
  const renamed = findNamed(all, workspace);
  if (!renamed) return undefined;
  return openAt({ ...place, ...memoryAt(home, renamed.workspace) }, writer, false).catch(isMissing);
}

/** @param create whether it is created where there is none; else that is `not_found` */
async function openAt(place: Place, writer: Writer, create: boolean): Promise<MemoryCore> {
  const { db, workspace, repository } = place;
  // On the command line the answer holds the warnings; a server's clients see the answer, its operator the log.
  const isServer = writer === undefined;
  const quiet: Log = (message, level) => (level === 'error' ? log(message) : undefined);
  try {
    const embedder = isServer ? await sharedEmbedder(here().env) : embedderForOne();
    const memory = await withProgressBar(
      (progress) =>
        openLazily({
          db,
          workspace,
          create,
          ...(embedder && { embedder }),
          ...(writer && { writer }),
          log: isServer ? log : quiet,
          ...(!isServer && { progress }),
        }),
      'Reading an older memory for search ',
    );
    if (isServer) embedWhatLacks(memory);
    const authored = isServer ? withAuthor(memory) : memory;
    return repository ? rememberingRepository(authored, repository) : authored;
  } catch (error) {
    if (!(error instanceof PrecedentError)) throw error;
    throw inWorkspace(isServer ? error : withPath(db, error), workspace);
  }
}

/** In the background, with a model that needs no network: one-shot commands save without it. */
function embedWhatLacks(memory: MemoryCore): void {
  const named = findEmbedder(here().env);
  if (!named || !('folder' in named)) return;
  memory.embed().catch((error: Error) => log(`not every record has a vector: ${error.message}`));
}

/** A static model takes longer to load than a command to run. */
function embedderForOne() {
  const named = findEmbedder(here().env);
  return named && 'url' in named ? named : undefined;
}

/** A memory that adds its user's name to each save (K-4). */
function withAuthor(memory: MemoryCore): MemoryCore {
  const call: MemoryCore['call'] = async (name, input, writer, ...others) =>
    memory.call(
      name,
      input,
      (await isWrite(name)) ? { ...(await signature()), ...writer } : writer,
      ...others,
    );
  return { ...memory, call };
}

/** The error of opening a memory, for a person: it says which file is meant. */
export function withPath(db: string, error: PrecedentError): PrecedentError {
  if (describeDatabase(db).kind !== 'file') return error;
  const { code, message, reason } = error;
  return new PrecedentError(code, reason, `${message}\nPath of the file: ${db}`, { cause: error });
}

/** A memory whose first save is remembered as that of the repository (K-1). */
function rememberingRepository(memory: MemoryCore, repository: RepositoryMemory): MemoryCore {
  let isRemembered = false;
  const call: MemoryCore['call'] = async (name, ...others) => {
    const result = await memory.call(name, ...others);
    if (!isRemembered && (await isWrite(name))) {
      isRemembered = true;
      // The save is done, also where this fails.
      await learnRepository(memory, repository).catch((error: Error) =>
        log(`The repository was not remembered: ${error.message}`),
      );
    }
    return result;
  };
  return { ...memory, call };
}

/** A new memory would be that of the folder for good, though it may have another one. */
const gitTooLate = () =>
  unavailable.git_failed(
    'Expected git to tell which memory this repository has, found that it took too long. Nothing was saved. Try again, or name the memory: --workspace NAME',
  );

/** Somebody else who uses it already keeps it. */
async function removeMade(place: Place): Promise<void> {
  try {
    await removeUnusedMemory(place, log);
  } catch (error) {
    if (!(error instanceof PrecedentError)) throw error;
    log(`The new workspace "${place.workspace}" is empty, and could not be removed: ${error.message}`);
  }
}

/**
 * Makes the memory that was not found.
 * @param say receives what is said before
 * @returns also the place that is meant by now; `isNew` unless the memory was there by then
 */
export async function makeHere(
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
    return { memory: await openAt(missing, writer, true), place: missing, isNew: true };
  }
  const found = await findHere(options);
  let made: Awaited<ReturnType<typeof makeHere>> | undefined;
  // Of several processes that make one, or give one another name, each sees what those before it did; and nobody sees one
  // that keeps no first commits yet, which would be nobody's (Z-2).
  await changeRegistry(dataFolder, async (registry) => {
    const place = await foundAgain(found);
    const there = await openExisting(place, writer);
    if (there) {
      made = { memory: there, place, isNew: false };
      return registry;
    }
    if (place.repository?.isUnsure) throw gitTooLate();
    say(await newWorkspace(place));
    const memory = await openAt(place, writer, true);
    made = { memory, place, isNew: true };
    if (place.repository) await keepFirstCommits(memory, place.repository);
    return registry;
  });
  return made as NonNullable<typeof made>;
}
