import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { PrecedentError } from '../../domain/error.ts';
import { isDiskFull } from '../../memory/engines.ts';
import { locked, type Patience, untilFree } from '../locked.ts';
import { log } from '../output/print.ts';
import { type Registry, type Renaming, registryIn, type Written } from './known.ts';
import { withRename } from './learn.ts';

const FILE = 'repositories.json';
/** Its lock counts as left behind after that: one that renames a memory may wait ten seconds for it. */
const PATIENCE: Patience = { patience: 5_000, leftBehind: 30_000 };

/**
 * The registry of this machine's account. Empty when the file is missing or cannot be read. Where a rename was cut short, as
 * by a kill, a memory is called what its file is called (K-3).
 */
export function readRegistry(dataFolder: string): Registry {
  const { renaming, ...registry } = readWritten(dataFolder);
  if (!renaming) return registry;
  const isThere = (workspace: string) => existsSync(join(dataFolder, `${workspace}.db`));
  const { from, to } = renaming;
  return !isThere(from) && isThere(to) ? withRename(from, to, undefined)(registry) : registry;
}

function readWritten(dataFolder: string): Written {
  try {
    return registryIn(JSON.parse(readFileSync(join(dataFolder, FILE), 'utf8')));
  } catch {
    return registryIn(undefined);
  }
}

/**
 * Changes the registry, one process after the other; a reader sees the whole of it before or after.
 * @param change receives what is there now, and returns what shall be there; what equals it changes nothing. Before it gives
 *   the file of a memory another name it calls `intend`: whatever becomes of it then, the registry follows the file
 */
export async function changeRegistry(
  dataFolder: string,
  change: (registry: Registry, intend: (renaming: Renaming) => void) => Registry | Promise<Registry>,
): Promise<void> {
  const file = join(dataFolder, FILE);
  try {
    mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw cannotWrite(file, error);
  }
  const write = (changed: Written) => {
    if (isDeepStrictEqual(plain(changed), plain(readWritten(dataFolder)))) return;
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
  if (isDiskFull(file, cause))
    return new PrecedentError(
      'unavailable',
      `The list of repositories cannot be written: the disk is full. Free some space and try again: ${file}.`,
      { cause, reason: 'full' },
    );
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
