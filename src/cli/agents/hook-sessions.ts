import { statSync } from 'node:fs';
import { join } from 'node:path';
import { shortHash } from '../../domain/text/short-hash.ts';
import { namesIn, readBounded } from '../../files/bounded.ts';

/** How long the hooks of a session remember each other, in milliseconds. */
export const REMEMBERED = 7 * 24 * 3_600_000;

/** Where hooks keep a file for each session. @param dataFolder absolute */
export const sessionsFolder = (dataFolder: string): string => join(dataFolder, 'hooks');

/** Of how many prompts of the last week the words were not recorded, because the memory was busy (M-11). */
export function droppedLately(dataFolder: string): number {
  const folder = sessionsFolder(dataFolder);
  return namesIn(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => droppedIn(join(folder, name)))
    .reduce((sum, each) => sum + each, 0);
}

function droppedIn(file: string): number {
  try {
    if (Date.now() - statSync(file).mtimeMs > REMEMBERED) return 0;
    const { dropped } = JSON.parse(String(readBounded(file)));
    return Number.isSafeInteger(dropped) ? dropped : 0;
  } catch {
    // Removed or replaced meanwhile.
    return 0;
  }
}

/** What the hooks of a session showed an agent (V-4). It holds no text. */
export interface HookSession {
  /** The name of its file, which is a hash of the session. */
  hash: string;
  /** Ids of what was shown. */
  shown: string[];
  /** Tokens that it was shown, in all. */
  tokens: number;
  prompts: number;
  /** When the last event was, in milliseconds UTC. */
  at: number;
}

/** The name that the file of a session has. */
export const sessionHash = (session: string): string => shortHash(session);

/** The sessions of the last week, the newest first. */
export function hookSessions(dataFolder: string): HookSession[] {
  const folder = sessionsFolder(dataFolder);
  return namesIn(folder)
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => hookSession(folder, name.slice(0, -'.json'.length)) ?? [])
    .sort((a, b) => b.at - a.at);
}

function hookSession(folder: string, hash: string): HookSession | undefined {
  const file = join(folder, `${hash}.json`);
  try {
    const { shown, tokens, prompts } = JSON.parse(String(readBounded(file)));
    const isWhole = Array.isArray(shown) && Number.isSafeInteger(tokens) && Number.isSafeInteger(prompts);
    return isWhole
      ? { hash, shown: shown.map(String), tokens, prompts, at: statSync(file).mtimeMs }
      : undefined;
  } catch {
    // Removed or replaced meanwhile.
    return undefined;
  }
}
