import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { PrecedentError } from '../../domain/error.ts';
import { locked, type Patience, untilFree } from '../locked.ts';
import { log } from '../output/print.ts';

/** A repository in which something was saved, and the memory that it goes into (K-1). */
export interface Known {
  /** Its git folder, absolute. */
  folder: string;
  /** What the file system knows that folder by: another folder of the same path has another. */
  identity: string;
  /** Its first commit; undefined before there is one, null where git could not tell. */
  root?: string | null | undefined;
  workspace: string;
  /** The names that its remotes have given it, newest first. */
  names: string[];
  /** The server that the memory is on; undefined for the data folder. */
  db?: string | undefined;
  /** Set when the server was given the names, or does not take them from this account. */
  isShared?: boolean | undefined;
}

/** A name that leads to a memory whatever repository has it: one that a person gave it, or that it had before (K-3). */
export interface Alias {
  name: string;
  workspace: string;
  /** As {@link Known.db}. */
  db?: string | undefined;
}

/** What the account of a machine remembers of its repositories. */
export interface Registry {
  repositories: Known[];
  aliases: Alias[];
}

const FILE = 'repositories.json';
/** Its lock counts as left behind after that: one that renames a memory may wait ten seconds for it. */
const PATIENCE: Patience = { patience: 5_000, leftBehind: 30_000 };

/** The registry of this machine's account. Empty when the file is missing or cannot be read. */
export function readRegistry(dataFolder: string): Registry {
  try {
    const { repositories, aliases } = JSON.parse(readFileSync(join(dataFolder, FILE), 'utf8'));
    return { repositories: listOf(repositories, isKnown), aliases: listOf(aliases, isAlias) };
  } catch {
    return { repositories: [], aliases: [] };
  }
}

function listOf<T>(value: unknown, isOne: (value: unknown) => value is T): T[] {
  return Array.isArray(value) ? value.filter(isOne) : [];
}

function isKnown(value: unknown): value is Known {
  const { folder, identity, workspace, names } = (value ?? {}) as Partial<Known>;
  return areTexts(folder, identity, workspace) && Array.isArray(names) && areTexts(...names);
}

function isAlias(value: unknown): value is Alias {
  const { name, workspace } = (value ?? {}) as Partial<Alias>;
  return areTexts(name, workspace);
}

const areTexts = (...values: unknown[]) => values.every((value) => typeof value === 'string');

/**
 * Changes the registry, one process after the other; a reader sees the whole of it before or after.
 * @param change receives what is there now, and returns what shall be there; what equals it changes nothing
 */
export async function changeRegistry(
  dataFolder: string,
  change: (registry: Registry) => Registry | Promise<Registry>,
): Promise<void> {
  const file = join(dataFolder, FILE);
  try {
    mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw cannotWrite(file, error);
  }
  const work = async () => {
    keepUnreadable(file);
    const registry = readRegistry(dataFolder);
    const changed = await change(registry);
    if (isDeepStrictEqual(plain(changed), plain(registry))) return;
    const partial = `${file}.${process.pid}.partial`;
    writeFileSync(partial, `${JSON.stringify({ version: 1, ...changed }, null, 2)}\n`, { mode: 0o600 });
    renameSync(partial, file);
  };
  await locked(`${file}.lock`, PATIENCE, work, (cause) => cannotWrite(file, cause));
}

/**
 * A registry that cannot be read is kept beside the new one.
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
  throw new PrecedentError(
    'unavailable',
    `The list of repositories, ${file}, was written by a newer version of Precedent. Update Precedent.`,
  );
}

/** Waits until no other process is changing the registry. */
export function registryAtRest(dataFolder: string): Promise<void> {
  return changeRegistry(dataFolder, (registry) => registry);
}

/** Whether this machine remembers anything. Waits until no other process is changing that; nothing is created. */
export async function isRegistryThere(dataFolder: string): Promise<boolean> {
  const file = join(dataFolder, FILE);
  await untilFree(`${file}.lock`, PATIENCE, () => isBeingChanged(file));
  return existsSync(file);
}

function isBeingChanged(file: string): PrecedentError {
  return new PrecedentError(
    'unavailable',
    `Expected the list of repositories, found that another process is changing it: ${file}. Nothing was changed. Try again; if none is, remove ${file}.lock.`,
  );
}

/** As it is written: without fields that are undefined. */
const plain = (registry: Registry): unknown => JSON.parse(JSON.stringify(registry));

function cannotWrite(file: string, cause: unknown): PrecedentError {
  const code = cause instanceof Error && 'code' in cause ? cause.code : 'unknown reason';
  const advice =
    code === 'EEXIST'
      ? 'Another process is changing it; if none is, remove that file.'
      : 'Check its folder and permissions.';
  return new PrecedentError(
    'unavailable',
    `The list of repositories cannot be written (${code}): ${file}. ${advice}`,
    { cause },
  );
}
