import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type PrecedentError, unavailable } from '../../domain/error.ts';
import { isDiskFull } from '../../memory/engines.ts';
import { type Off, offIn, REGISTRY } from '../../memory/off.ts';
import { locked } from '../locked.ts';
import { log } from '../output/print.ts';

/** Milliseconds; one that renames a memory may itself wait ten seconds for it. */
const PATIENCE = 5_000;

/**
 * A folder whose memory is settled (K-1): something was saved from it, its first commits were found in the memory that its
 * remote names (Z-2), or a person said so.
 */
export interface RegisteredRepository {
  /** The git folder of a repository, else the folder itself; absolute. */
  folder: string;
  /** What the file system knows that folder by: another folder of the same path has another. */
  identity: string;
  /** The first commits that the repository had then; undefined where they could not be known. */
  firstCommits?: string[] | undefined;
  /** Set when it had none of these any more at a later look: then it is led nowhere until a person says so. */
  isRewritten?: boolean | undefined;
  /** When git last answered too late which they are, in milliseconds UTC: it is asked again after a while. */
  lateAt?: number | undefined;
  /** Where its references led when its first commits were last compared: they are compared again once that changes. */
  tips?: string | undefined;
  workspace: string;
  /** The names that its remotes have given it, newest first. */
  names: string[];
  /** The server that the memory is on; undefined for the data folder. */
  db?: string | undefined;
  /** Set when the server was given the names, or does not take them from this account. */
  isShared?: boolean | undefined;
}

/** Milliseconds: a long history makes a save wait for git no more often. */
const LATE = 600_000;

/** Whether git answered too late so recently that it is not asked again. */
export const isJustLate = ({ lateAt }: RegisteredRepository): boolean =>
  lateAt !== undefined && Math.abs(Date.now() - lateAt) < LATE;

/** A name that leads to a memory whatever repository has it: one that a person gave it, or that it had before (K-3). */
export interface Alias {
  name: string;
  workspace: string;
  /** As {@link RegisteredRepository.db}. */
  db?: string | undefined;
}

/** What the account of a machine remembers of its repositories. */
export interface Registry {
  repositories: RegisteredRepository[];
  aliases: Alias[];
  off: Off[];
}

/** A memory of the data folder that gets another name. */
interface Renaming {
  from: string;
  to: string;
}

/** A registry as its file has it. */
interface RegistryFile extends Registry {
  /** Written before the file of the memory gets its name, and gone with what follows from that (K-3). */
  renaming?: Renaming;
}

/**
 * The registry of this machine's account. Empty without a data folder, and when the file is missing or cannot be read.
 * Where a rename was cut short, as by a kill, a memory is called what its file is called (K-3).
 */
export function readRegistry(dataFolder: string | undefined): Registry {
  if (dataFolder === undefined) return { repositories: [], aliases: [], off: [] };
  const { renaming, ...registry } = readFile(dataFolder);
  if (!renaming) return registry;
  const isThere = (workspace: string) => existsSync(join(dataFolder, `${workspace}.db`));
  const { from, to } = renaming;
  return !isThere(from) && isThere(to) ? withRename(from, to, undefined)(registry) : registry;
}

function readFile(dataFolder: string): RegistryFile {
  try {
    return registryIn(JSON.parse(readFileSync(join(dataFolder, REGISTRY), 'utf8')));
  } catch {
    return registryIn(undefined);
  }
}

/**
 * Changes the registry, one process after the other; a reader sees the whole of it before or after.
 * @param change receives what is there now, and returns what should be there; what equals it changes nothing. Before it gives
 *   the file of a memory another name it calls `intend`: whatever becomes of it then, the registry follows the file
 */
export async function changeRegistry(
  dataFolder: string,
  change: (registry: Registry, intend: (renaming: Renaming) => void) => Registry | Promise<Registry>,
): Promise<void> {
  const file = join(dataFolder, REGISTRY);
  try {
    mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw cannotWrite(file, error);
  }
  const write = (changed: RegistryFile) => {
    if (isDeepStrictEqual(plain(changed), plain(readFile(dataFolder)))) return;
    const partial = `${file}.${process.pid}.partial`;
    try {
      writeFileSync(partial, `${JSON.stringify({ version: 1, ...changed }, null, 2)}\n`, { mode: 0o600 });
      renameSync(partial, file);
    } catch (error) {
      rmSync(partial, { force: true });
      throw cannotWrite(file, error);
    }
  };
  const work = async () => {
    keepUnreadable(file);
    const registry = readRegistry(dataFolder);
    try {
      write(await change(registry, (renaming) => write({ ...registry, renaming })));
    } catch (error) {
      write(readRegistry(dataFolder));
      throw error;
    }
  };
  await alone(file, work);
}

/**
 * A registry that cannot be read is kept next to the new one.
 * @throws PrecedentError `unavailable` when a newer version wrote it
 */
function keepUnreadable(file: string): void {
  if (!existsSync(file)) return;
  let version: unknown;
  try {
    version = JSON.parse(readFileSync(file, 'utf8')).version;
  } catch {
    log(`The list of repositories cannot be read; it was kept as ${file}.old, and a new one is begun.`);
    renameSync(file, `${file}.old`);
    return;
  }
  if (version === 1) return;
  throw unavailable.newer(
    `The list of repositories, ${file}, was written by a newer version of Precedent. Update Precedent.`,
  );
}

/** Whether this machine remembers anything. Waits until no other process is changing that; nothing is created. */
export async function isRegistryThere(dataFolder: string): Promise<boolean> {
  const file = join(dataFolder, REGISTRY);
  if (existsSync(lockOf(file))) await alone(file, () => {});
  return existsSync(file);
}

const lockOf = (file: string) => `${file}.lock`;

/** Does work while no other process changes the registry. */
const alone = (file: string, work: () => void | Promise<void>) =>
  locked(lockOf(file), { patience: PATIENCE, refusal: (cause) => cannotWrite(file, cause) }, work);

/** As it is written: without fields that are undefined. */
const plain = (registry: Registry): unknown => JSON.parse(JSON.stringify(registry));

function cannotWrite(file: string, cause: unknown): PrecedentError {
  if (cause === undefined)
    return unavailable.busy(
      `Another process is changing the list of repositories, ${file}. Nothing was changed. Try again.`,
    );
  if (isDiskFull(file, cause))
    return unavailable.full(
      `The list of repositories cannot be written: the disk is full. Free some space and try again: ${file}.`,
      { cause },
    );
  const code = cause instanceof Error && 'code' in cause ? cause.code : 'unknown reason';
  return unavailable.no_access(
    `The list of repositories cannot be written (${code}): ${file}. Check its folder and permissions.`,
    { cause },
  );
}

/**
 * The registry with this entry, instead of the one that it had before. What another repository left at its path
 * stays: it may have been moved, and its memory is not taken by the next.
 */
export function withEntry(entry: RegisteredRepository, before: RegisteredRepository | undefined) {
  const isBefore = (each: RegisteredRepository) =>
    each.folder === before?.folder && each.identity === before.identity;
  const isSame = (each: RegisteredRepository) =>
    each.folder === entry.folder && (each.identity === entry.identity || each.workspace === entry.workspace);
  return (registry: Registry): Registry => {
    const { repositories } = registry;
    const others = repositories.filter((each) => each.db !== entry.db || !(isBefore(each) || isSame(each)));
    const isNew = !repositories.some((each) => isDeepStrictEqual(each, entry));
    return isNew ? { ...registry, repositories: [...others, entry] } : registry;
  };
}

/** The registry in which a name leads to this memory, also for repositories that have it as their remote's. */
export function withAlias(alias: Alias) {
  return ({ repositories, aliases, off }: Registry): Registry => ({
    off,
    repositories: repositories.map((each) =>
      each.db === alias.db && each.names[0] === alias.name ? { ...each, workspace: alias.workspace } : each,
    ),
    aliases: [...aliases.filter((each) => each.db !== alias.db || each.name !== alias.name), alias],
  });
}

/** The registry after a memory got another name: what led to it still does, and its old name does too. */
export function withRename(from: string, to: string, db: string | undefined) {
  return ({ repositories, aliases, off }: Registry): Registry => {
    const renamed = <Entry extends RegisteredRepository | Alias | Off>(entry: Entry): Entry =>
      entry.db === db && entry.workspace === from ? { ...entry, workspace: to } : entry;
    // The new name is its own from now on, whatever it led to before.
    const kept = aliases
      .map(renamed)
      .filter(({ name, db: at }) => at !== db || (name !== from && name !== to));
    return {
      off: off.map(renamed),
      repositories: repositories.map(renamed),
      aliases: [...kept, { name: from, workspace: to, ...(db !== undefined && { db }) }],
    };
  };
}

/** Whether an entry is that of a folder. */
export function isOfFolder(
  { folder, identity }: Off,
  here: { folder: string; identity: string | undefined },
): boolean {
  if (folder === undefined) return false;
  // Without a time, a number of the file system is given out again.
  return folder === here.folder || (identity?.includes('@') === true && identity === here.identity);
}

/** What the file of a registry holds: all of it that can be read. */
function registryIn(value: unknown): RegistryFile {
  const { repositories, aliases, off, renaming } = (value ?? {}) as Partial<RegistryFile>;
  return {
    repositories: listOf<RegisteredRepository>(
      repositories,
      ({ folder, identity, workspace, names, firstCommits = [] }) =>
        areTexts(folder, identity, workspace) && areLists(names, firstCommits),
    ),
    aliases: listOf<Alias>(aliases, ({ name, workspace }) => areTexts(name, workspace)),
    off: offIn(off),
    ...(renaming && areTexts(renaming.from, renaming.to) && { renaming }),
  };
}

function listOf<Item>(value: unknown, isOne: (item: Partial<Item>) => boolean): Item[] {
  return Array.isArray(value) ? value.filter((item) => isOne(item ?? {})) : [];
}

const areTexts = (...values: unknown[]) => values.every((value) => typeof value === 'string');
const areLists = (...values: unknown[]) => values.every((list) => Array.isArray(list) && areTexts(...list));
