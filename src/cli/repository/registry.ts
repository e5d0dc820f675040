import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

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
}

const FILE = 'repositories.json';
/** How long to wait for another process that is writing, and after how long its lock counts as left behind, in milliseconds. */
const PATIENCE = 5_000;
const LEFT_BEHIND = 10_000;

/** The repositories that this machine's account has saved in. None when the file is missing or cannot be read. */
export function readRegistry(dataFolder: string): Known[] {
  try {
    const { repositories } = JSON.parse(readFileSync(join(dataFolder, FILE), 'utf8'));
    return Array.isArray(repositories) ? repositories.filter(isKnown) : [];
  } catch {
    return [];
  }
}

function isKnown(value: unknown): value is Known {
  const { folder, identity, workspace, names } = (value ?? {}) as Partial<Known>;
  return [folder, identity, workspace].every((text) => typeof text === 'string') && Array.isArray(names);
}

/**
 * Changes the registry, one process after the other; a reader sees the whole of it before or after.
 * @param change receives what is there now, and returns what shall be there; the same list changes nothing
 */
export async function changeRegistry(dataFolder: string, change: (known: Known[]) => Known[]): Promise<void> {
  mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
  const file = join(dataFolder, FILE);
  await locked(`${file}.lock`, () => {
    const known = readRegistry(dataFolder);
    const changed = change(known);
    if (changed === known) return;
    const partial = `${file}.${process.pid}.partial`;
    writeFileSync(partial, `${JSON.stringify({ version: 1, repositories: changed }, null, 2)}\n`, {
      mode: 0o600,
    });
    renameSync(partial, file);
  });
}

async function locked(file: string, work: () => void): Promise<void> {
  const deadline = performance.now() + PATIENCE;
  for (;;) {
    try {
      writeFileSync(file, String(process.pid), { flag: 'wx', mode: 0o600 });
      break;
    } catch (error) {
      const isTaken = error instanceof Error && 'code' in error && error.code === 'EEXIST';
      if (!isTaken || performance.now() > deadline) throw error;
      const since = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
      if (since > 0 && Date.now() - since > LEFT_BEHIND) rmSync(file, { force: true });
      await sleep(20);
    }
  }
  try {
    work();
  } finally {
    rmSync(file, { force: true });
  }
}
