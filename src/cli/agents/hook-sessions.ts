import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { EventKind } from '../../agents/agent.ts';
import { shortHash } from '../../domain/text/short-hash.ts';
import { namesIn, readBounded } from '../../files/bounded.ts';
import { describeDatabase } from '../../memory/engines.ts';
import type { Place } from '../place.ts';

/** How long the hooks of a session remember each other, in milliseconds. */
export const REMEMBERED = 7 * 24 * 3_600_000;

/** Where hooks keep a file for each session. @param dataFolder absolute */
export const sessionsFolder = (dataFolder: string): string => join(dataFolder, 'hooks');

/** What the hooks of a session showed an agent (V-4). It holds no text. */
export interface HookSession {
  /** The name of its file, which is a hash of the session. */
  hash: string;
  /** Ids of what was shown. */
  shown: string[];
  prompts: number;
  /** The number of prompts whose words were not recorded, because the memory was busy (M-11). */
  dropped: number;
  /** When the last event was, in milliseconds UTC. */
  at: number;
  /** The newest last. */
  told: Told[];
}

/** What an agent was told at one event, without asking (A-1, V-4). It holds no text: neither of a prompt nor of a record. */
export interface Told {
  /** The {@link memoryHash} of its memory. */
  memory: string;
  /** When, in milliseconds. */
  at: number;
  agent: string;
  event: Exclude<EventKind, 'call'> | 'task' | 'change';
  /** Ids of decisions and of a checkpoint; an observation is `#38`. */
  ids: string[];
  tokens: number;
  /** Ids of what a text or a command is against although the agent was told it before, as far as names and hints can tell. */
  broken?: string[];
}

/** The number of prompts of the last week whose words were not recorded (M-11). */
export const droppedLately = (dataFolder: string): number =>
  hookSessions(dataFolder)
    .filter(({ at }) => Date.now() - at <= REMEMBERED)
    .reduce((sum, { dropped }) => sum + dropped, 0);

/** How many hooks of the last week were not answered in time, by their log, and when the last one, in milliseconds UTC. */
export function lateLately(dataFolder: string): { count: number; last: number } {
  const log = String(readBounded(join(dataFolder, 'hooks.log')));
  const late = log
    .split('\n')
    .filter((line) => /did not answer within|took longer than/.test(line))
    .map((line) => Date.parse(line.slice(0, line.indexOf(' '))))
    .filter((at) => Date.now() - at <= REMEMBERED);
  return { count: late.length, last: late.at(-1) ?? 0 };
}

/** The name that the file of a session has. */
export const sessionHash = (session: string): string => shortHash(session);

/** A memory as sessions know it: its address may hold a password. */
export const memoryHash = ({ db, workspace }: Pick<Place, 'db' | 'workspace'>): string =>
  shortHash(`${describeDatabase(db).kind === 'file' ? db : describeDatabase(db).shown} ${workspace}`);

/** The last that was shown of a memory, records before a reminder; undefined when nothing was in the last week. */
export function lastTold(dataFolder: string, place: Pick<Place, 'db' | 'workspace'>): Told | undefined {
  const hash = memoryHash(place);
  const all = hookSessions(dataFolder)
    .flatMap(({ told }) => told.filter(({ memory, tokens }) => memory === hash && tokens > 0))
    .sort((one, other) => one.at - other.at);
  return all.findLast(({ ids }) => ids.length > 0) ?? all.at(-1);
}

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
    const {
      started = [],
      said = {},
      prompts = 0,
      dropped = 0,
      told = [],
    } = JSON.parse(String(readBounded(file)));
    if (![started, told].every(Array.isArray) || ![prompts, dropped].every(Number.isSafeInteger))
      return undefined;
    // The name of a subagent, or `error`, precedes an id.
    const ids = told.flatMap((each: Told) => each.ids);
    const shown = [...ids, ...started, ...Object.keys(said)].map(
      (each) => String(each).split(' ').at(-1) ?? '',
    );
    const at = statSync(file).mtimeMs;
    return { hash, shown: [...new Set(shown)], prompts, dropped, at, told };
  } catch {
    // Removed or replaced meanwhile.
    return undefined;
  }
}
