import { randomBytes } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type PrecedentError, unavailable } from '../domain/error.ts';
import { namesIn } from '../files/bounded.ts';
import { describeDatabase, isDiskFull, lock } from '../memory/engines.ts';
import { findHere } from './open.ts';
import { log } from './output/print.ts';
import type { PlaceOptions } from './place.ts';
import { whenEnded } from './when-ended.ts';

/** How a folder is called in which a copy of a memory is made: after what it is for, with eight random digits. */
const FOLDER = /\.[0-9a-f]{8}\.partial$/;
/** The file that a process locks while it uses its folder. */
const LOCK_FILE = 'held';
/** This file marks a folder as ours until the folder is gone. */
const KEEPS_FILE = { keepsFile: true };
/** Marks a folder that another process has begun to remove. */
const REMOVING = 'removed';
/** The copies that are made in such folders, with what an engine keeps next to them. A folder with anything else is not ours. */
export const COPY = { database: 'backup.db', lines: 'memory.jsonl' } as const;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** Each fails only when another process comes upon a folder in the moment in which it is made. */
const ATTEMPTS = 5;
const CONTENT = new RegExp(`^(${LOCK_FILE}|${REMOVING}|backup\\.db(-.*)?|memory\\.jsonl)$`);

/**
 * Works in a folder of this process alone, which is gone afterwards. What a process that was killed left in the same place
 * is removed first: it holds a whole memory.
 * @param place what the folder is called after, and is next to
 */
export async function inScratch<Result>(
  place: string,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  for (const folder of await removeLeftovers([dirname(place)])) log(leftoverOf(folder));
  const { folder, release } = ownFolder(place);
  const discard = () => {
    // An open file cannot be removed on Windows. Another process that finds the folder now removes it, too.
    release();
    rmSync(folder, { recursive: true, force: true });
  };
  const goOn = whenEnded(SIGNALS, discard);
  try {
    return await work(folder);
  } finally {
    goOn();
    discard();
  }
}

/** Where {@link inScratch} makes copies for the memory that is meant: next to its file, which takes as much room. */
export async function scratchPlace(options: PlaceOptions): Promise<string> {
  const { db } = await findHere(options);
  return describeDatabase(db).kind === 'file' ? db : join(tmpdir(), 'precedent');
}

/** Removes what processes that were killed left next to the memory that is meant. @returns the folders that are gone */
export async function removeLeftoversOf(options: PlaceOptions): Promise<string[]> {
  return removeLeftovers([dirname(await scratchPlace(options)), tmpdir()]);
}

/** What a person is shown of a folder that was removed. */
export function leftoverOf(folder: string): string {
  return `Removed what an interrupted command had left behind: ${folder}`;
}

async function removeLeftovers(places: string[]): Promise<string[]> {
  const removed = [];
  for (const place of new Set(places)) {
    for (const name of namesIn(place).filter((each) => FOLDER.test(each))) {
      const folder = join(place, name);
      if (await isRemoved(folder).catch(() => false)) removed.push(folder);
    }
  }
  return removed;
}

/**
 * Makes a folder that no other process regards as a leftover.
 * @throws PrecedentError `unavailable` when none can be made there
 */
function ownFolder(place: string): { folder: string; release: () => void } {
  for (let attempt = 1; ; attempt++) {
    const folder = `${place}.${randomBytes(4).toString('hex')}.partial`;
    let release: ReturnType<typeof lock>;
    try {
      release = lock(join(folder, LOCK_FILE), KEEPS_FILE);
    } catch (error) {
      if (!existsSync(folder) && attempt < ATTEMPTS) continue;
      // It may have been made on a disk that has no room for the file in it.
      rmSync(folder, { recursive: true, force: true });
      throw notMade(folder, error);
    }
    // Another process may have come upon it before it was held.
    if (release && existsSync(folder) && !existsSync(join(folder, REMOVING))) return { folder, release };
    release?.();
  }
}

/** The refusal where a copy cannot be written. @param folder the one that it was to be in */
export function notMade(folder: string, cause: unknown): PrecedentError {
  const expected = `Expected to write a working copy in ${dirname(folder)}, found that`;
  if (isDiskFull(folder, cause))
    return unavailable.full(`${expected} the disk is full. Free some space and try again.`, { cause });
  const code = cause instanceof Error && 'code' in cause ? ` (${cause.code})` : '';
  return unavailable.no_access(
    `${expected} nothing can be written there${code}. Check the folder and its permissions.`,
    { cause },
  );
}

/** Removes a folder that no living process holds, if it is one of ours. */
async function isRemoved(folder: string): Promise<boolean> {
  const { uid } = lstatSync(folder);
  const names = readdirSync(folder);
  // Other users of the machine may make such folders in the temporary one.
  if ((process.getuid && uid !== process.getuid()) || !names.every((name) => CONTENT.test(name)))
    return false;
  if (names.length === 0) {
    rmdirSync(folder);
    return true;
  }
  const release = names.includes(LOCK_FILE) ? lock(join(folder, LOCK_FILE), KEEPS_FILE) : undefined;
  if (!release) return false;
  // Whoever made it and was about to hold it sees by this that it goes.
  if (!names.includes(REMOVING)) mkdirSync(join(folder, REMOVING));
  release();
  rmSync(folder, { recursive: true, force: true });
  return true;
}
