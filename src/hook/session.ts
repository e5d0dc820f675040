import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type LastShown, REMEMBERED, sessionHash, sessionsFolder } from '../cli/agents/hook-sessions.ts';
import { shortHash } from '../domain/text/short-hash.ts';
import { namesIn, readBounded } from '../files/bounded.ts';
import { NOTHING_SPENT, type Purse } from './context.ts';

/**
 * What the hooks of one session remember of each other. It holds no text but paths: words are short hashes, but for those
 * that wait for a repository's first save.
 */
export interface Session {
  /** Ids of what was shown. */
  shown: string[];
  /** Tokens that it was shown, in all. */
  tokens: number;
  /** What of them counts as spent at this moment, in milliseconds UTC (T-4). */
  spent: Purse;
  at: number;
  /** How many prompts were seen. */
  prompts: number;
  /** In how many prompts each word that may become a keyword was, by its hash. */
  words: Record<string, number>;
  /** The newest record when the session was first seen; undefined before that. */
  since?: number;
  /** Whether this agent saved something since. */
  isSaved: boolean;
  /** The prompt with which it was reminded last, by number. */
  reminded: number;
  /** The words that may be recorded of prompts before the repository had a memory, prompt by prompt (T-13). */
  waiting: string[][];
  /** Whether it was said that the memory is out of reach (T-12). */
  isOutOfReach: boolean;
  /** Files that it changed since some were offered to a decision, the newest last (F-1). */
  changed: string[];
  /** In how many prompts words were not recorded because the memory was busy. */
  dropped: number;
  /** What it was shown last, for `doctor`. */
  last?: LastShown;
}

/** A session that nothing is remembered of. */
export const NEW: Readonly<Session> = {
  shown: [],
  tokens: 0,
  spent: NOTHING_SPENT,
  at: 0,
  prompts: 0,
  words: {},
  isSaved: false,
  reminded: 0,
  waiting: [],
  isOutOfReach: false,
  changed: [],
  dropped: 0,
};

/** How long the mark of one event lasts, in milliseconds. */
export const AT_ONCE = 10_000;
/** How long a task waits for its subagent, in milliseconds: that starts at once, or not at all. */
const TASK_WAITS = 15_000;
/** Files remembered at most: what is offered is short. */
export const CHANGED = 5;
/** Words remembered at most: a session may last for days. */
const WORDS = 2_000;

/** The files of the sessions of this account: private, one for each session, and gone after a week. */
export class Sessions {
  readonly #folder: string;

  /** @param dataFolder absolute; it is there already */
  constructor(dataFolder: string) {
    this.#folder = sessionsFolder(dataFolder);
  }

  /** What is remembered of a session; nothing of a new one, and where its file cannot be read. */
  read(session: string): Session {
    try {
      return { ...NEW, ...JSON.parse(String(readBounded(this.#file(session)))) };
    } catch {
      return { ...NEW };
    }
  }

  /** Writes it whole or not at all. Throws where nothing can be written. */
  write(session: string, state: Session): void {
    const kept = Object.entries(state.words).slice(-WORDS);
    const partial = `${this.#file(session)}.${process.pid}`;
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    writeFileSync(partial, JSON.stringify({ ...state, words: Object.fromEntries(kept) }), { mode: 0o600 });
    renameSync(partial, this.#file(session));
  }

  /**
   * Whether this is the first hook that answers an event: two programs may read the same settings, or one may have its
   * hooks twice. Two that come at the same moment are distinguished, too. Where nothing can be remembered, each is the first.
   */
  isFirst(session: string, event: string): boolean {
    // Each stretch of time has a mark of its own: an old one that was renewed would make two programs the first.
    const now = Date.now();
    const markOf = (moment: number) =>
      join(
        this.#folder,
        `${hashOf(session)}-${hashOf(session, event)}-${Math.floor(moment / AT_ONCE).toString(36)}.mark`,
      );
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      writeFileSync(markOf(now), '', { flag: 'wx', mode: 0o600 });
      const before = statSync(markOf(now - AT_ONCE), { throwIfNoEntry: false });
      return !before || now - before.mtimeMs > AT_ONCE;
    } catch (error) {
      const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST';
      return !isThere || !statSync(markOf(now), { throwIfNoEntry: false })?.isFile();
    }
  }

  /** Keeps what the task of a subagent is about until that starts, in a file of its own: several come at once (T-12). */
  putTask(session: string, type: string, ids: string[]): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const file = `${taskOf(session, type)}${(performance.timeOrigin + performance.now()).toFixed(3)}-${process.pid}.task`;
    writeFileSync(join(this.#folder, file), JSON.stringify(ids), { flag: 'wx', mode: 0o600 });
  }

  /**
   * What the tasks of a type are about that were just put, the newest first. Those that start at once look the same:
   * their starts come in another order.
   */
  tasks(session: string, type: string): string[] {
    const start = taskOf(session, type);
    const isOf = (name: string) => name.startsWith(start) && name.endsWith('.task');
    const ids = new Set<string>();
    for (const name of namesIn(this.#folder).filter(isOf).sort().reverse()) {
      const file = join(this.#folder, name);
      try {
        if (Date.now() - statSync(file).mtimeMs > TASK_WAITS) rmSync(file, { force: true });
        else for (const id of JSON.parse(String(readBounded(file)))) ids.add(String(id));
      } catch {
        // Another one removed it, or it is rubbish.
      }
    }
    return [...ids];
  }

  /** Removes the files of sessions that are over. */
  sweep(): void {
    const now = Date.now();
    for (const name of readdirSync(this.#folder)) {
      const file = join(this.#folder, name);
      const age = now - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? now);
      if (age > (name.endsWith('.mark') ? AT_ONCE : REMEMBERED)) rmSync(file, { force: true });
    }
  }

  #file(session: string): string {
    return join(this.#folder, `${sessionHash(session)}.json`);
  }
}

/** Words that wait for a memory, at most. */
const WAITING = 200;

/** The words of prompts that wait for a memory, with those of one more; the oldest prompts go. */
export function waitingWith(waiting: string[][], words: string[]): string[][] {
  const all = [...waiting, words.slice(0, WAITING)];
  while (all.flat().length > WAITING) all.shift();
  return all;
}

/** A word as a session remembers it: too short a hash to tell which word it was. */
export function wordHash(session: string, word: string): string {
  return hashOf(session, word).slice(0, 6);
}

/** How the names begin of what is kept for subagents of a type. */
const taskOf = (session: string, type: string): string => `${hashOf(session)}-${hashOf(type)}-`;

function hashOf(...parts: string[]): string {
  return shortHash(parts.join('\0'));
}
