import { setTimeout as pause } from 'node:timers/promises';
import { PrecedentError } from '../domain/error.ts';
import { dataFolderHere } from '../files/data-folder.ts';
import { here } from '../files/surroundings.ts';
import { answerBytes } from '../memory/answer.ts';
import type { ServedMemory } from '../memory/connection.ts';
import type { MemoryCore } from '../memory/core.ts';
import { itIsOff } from '../memory/off.ts';
import { withWarnings } from '../memory/warnings.ts';
import { loadOperation } from '../operations/load.ts';
import type { Given } from './command.ts';
import { dryRun, emptyMemory, findHere, findRenamed, makeHere, openExisting } from './open.ts';
import type { PlaceOptions } from './place.ts';
import { offHere } from './repository/off.ts';

/** How long calls of a server wait for the owner of the tables to bring them up to date, in milliseconds, and between two tries. */
const UPGRADING = 10_000;
const PAUSE = 250;

/**
 * Opens the memory that is meant for a server, whose clients say with each call who they are. Reads create nothing: until
 * something is saved, they see an empty memory (K-2).
 * @param said what the clients of this process were shown already: each note is in one answer
 * @param isHere whether the client works in this folder: its files are those that it sees (F-1), and a read with too long an
 *   answer is refused here (Z-5). HTTP does so itself, as it counts what it sends
 */
export async function openForServer(
  options: PlaceOptions,
  said: Set<string>,
  isHere = false,
): Promise<ServedMemory> {
  const place = await findHere(options);
  const notes = new Set([place.repository?.note].filter((note) => note !== undefined));
  let opened: Promise<MemoryCore> | undefined;
  let empty: Promise<MemoryCore> | undefined;
  let current: MemoryCore | undefined;
  let looking: Promise<MemoryCore | undefined> | undefined;

  const existing = () => openExisting(place, undefined);
  /** Calls that come at once look once. */
  const look = async () => {
    const found =
      (await (isHere ? existing() : onceUpgraded(existing))) ??
      (await findRenamed(options, place, undefined)).memory;
    if (!found || !opened) {
      opened = found && Promise.resolve(found);
      return found;
    }
    await found.close();
    return opened;
  };
  const create = () =>
    makeHere(options, place, undefined, (message) => notes.add(message)).then(
      ({ memory }) => memory,
      (error: unknown) => {
        opened = undefined;
        throw error;
      },
    );
  /** @param rehearsed what is about to be saved; left out for a read, which makes no memory */
  const memoryFor = async (rehearsed?: (memory: MemoryCore) => Promise<unknown>) => {
    const off = offNow();
    if (off.length > 0) throw itIsOff(place.workspace, off);
    current = await found(rehearsed);
    return current;
  };
  const found = async (rehearsed?: (memory: MemoryCore) => Promise<unknown>) => {
    if (opened) return opened;
    looking ??= look().finally(() => {
      looking = undefined;
    });
    const known = await looking;
    if (known) return known;
    if (!rehearsed) {
      empty ??= emptyMemory(place);
      return empty;
    }
    // K-3: what is refused makes no memory.
    await dryRun(place, rehearsed);
    opened ??= create();
    return opened;
  };
  // Asked with each call: a server lives on when a person turns it off (V-6).
  const cwd = here().cwd();
  const dataFolder = dataFolderHere();
  const offNow = () => offHere(place, cwd, dataFolder);
  const call: MemoryCore['call'] = async (name, given, writer, ...others) => {
    const { access, createsMemory } = await loadOperation(name);
    const hasFiles = isHere && (given as Given | undefined)?.files !== undefined;
    const { withFilesFromTop } = hasFiles ? await import('./repository/path-asked.ts') : {};
    const input = withFilesFromTop ? withFilesFromTop(given as Given) : given;
    const memory = await memoryFor(createsMemory && ((rehearsal) => rehearsal.call(name, input, writer)));
    const isOfFiles = ['recall', 'mama_search'].includes(name) && (input as Given | undefined)?.files;
    const { withFormerNames } = isOfFiles ? await import('./repository/vanished.ts') : {};
    const asked = withFormerNames ? await withFormerNames(memory, input as Given, options) : input;
    const called = await memory.call(name, asked, writer, ...others);
    const { unmatched } = hasFiles && access === 'write' ? await import('./repository/vanished.ts') : {};
    const result = withWarnings(called, { last: (await unmatched?.(input as Given, options)) ?? [] });
    if (isHere) answerBytes(await loadOperation(name), result);
    return withNotes(name, result, notes, said);
  };
  const close = async () => {
    await empty?.then((memory) => memory.close());
    await opened?.then((memory) => memory.close());
  };
  return {
    call,
    sendFacts: async (after) => (await memoryFor()).sendFacts(after),
    takeFacts: async (sent) => (await memoryFor((rehearsal) => rehearsal.takeFacts(sent))).takeFacts(sent),
    close,
    isOutdated: () => current?.isOutdated() ?? false,
  };
}

/**
 * Tries again while the tables are of an older version: during an upgrade of many servers, calls wait for it instead of failing
 * (OP-1). Nothing was read or written before.
 */
async function onceUpgraded<Result>(work: () => Promise<Result>): Promise<Result> {
  const deadline = performance.now() + UPGRADING;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const isOlder = error instanceof PrecedentError && error.reason === 'older';
      if (!isOlder || performance.now() >= deadline) throw error;
    }
    await pause(PAUSE);
  }
}

/** A result that says first what its reader should know of the memory, once, where its shape allows it (M-7). */
async function withNotes(
  name: string,
  result: Record<string, unknown>,
  notes: Set<string>,
  said: Set<string>,
): Promise<Record<string, unknown>> {
  const { exact } = await loadOperation(name);
  const news = [...notes].filter((note) => !said.has(note));
  if (news.length === 0 || exact) return result;
  for (const note of news) said.add(note);
  return withWarnings(result, { first: news });
}
