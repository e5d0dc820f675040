import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { REMEMBERED, sessionHash, sessionsFolder, type Told } from '../cli/agents/hook-sessions.ts';
import { locked } from '../cli/locked.ts';
import { shortHash } from '../domain/text/short-hash.ts';
import { namesIn, readBounded } from '../files/bounded.ts';
import type { Layout } from './layout.ts';

/**
 * The state that the hooks of one session share. It holds no text but paths: words and files of records are short hashes.
 */
export interface Session {
  /** Ids of records that the start showed: only their words, so they are shown whole later all the same (RE-2). */
  started: string[];
  /**
   * The places where each record was shown since the context was emptied, by its id, that of a subagent after the agent's:
   * whole at first, by its name alone at later files. Files are short hashes, a prompt is `prompt`.
   */
  said: Record<string, string[]>;
  /** How many prompts were seen. */
  prompts: number;
  /** In how many prompts each word that may become a keyword was, by its hash. */
  words: Record<string, number>;
  /** Whether the session knows that the memory is out of reach (T-12). */
  isOutOfReach: boolean;
  /** Files that it changed, the newest last, and those of them that were offered to a decision (F-1). */
  changed: string[];
  offered: string[];
  /** The last request to save: a record that it may replace, words as hashes, or a moment (RE-11). */
  deciding: string[];
  /** How many prompts there were when it saved last; undefined before. */
  saved?: number;
  /**
   * Locks that its person was asked about and may still refuse, each with the file as a hash, and those that a change was
   * allowed of (RE-15).
   */
  asked: Record<string, string>;
  allowed: string[];
  /** In how many prompts words were not recorded because the memory was busy. */
  dropped: number;
  /** Git's answers about the repository's files. */
  layout?: Layout;
  /** The hash of its memory. */
  memory?: string;
  /** The records that it was shown at each event, and the rules that it broke all the same, the newest last (V-4). */
  told: Told[];
}

/** A session that nothing is remembered of. */
export const NEW: Readonly<Session> = {
  started: [],
  said: {},
  prompts: 0,
  words: {},
  isOutOfReach: false,
  changed: [],
  offered: [],
  deciding: [],
  asked: {},
  allowed: [],
  dropped: 0,
  told: [],
};

/** How long the mark of one event lasts, in milliseconds. */
export const AT_ONCE = 10_000;
/** How long a task waits for its subagent, in milliseconds: that starts at once, or not at all. */
const TASK_WAITS = 15_000;
/** Files remembered at most. */
export const CHANGED = 20;
/** At most so many events are remembered at which something was shown. */
const TOLD = 300;
/** Words and records remembered at most: a session may last for days. */
const MANY = 2_000;
/** How long an event waits for another one of its session, in milliseconds. */
const PATIENCE = 250;
/** Sessions that a start looks back at, and files that are read for it. */
const LATELY = { sessions: 3, files: 12 };

/** The files of the sessions of this account: private, one for each session, and gone after a week. */
export class Sessions {
  readonly #folder: string;

  /** @param dataFolder absolute; it is there already */
  constructor(dataFolder: string) {
    this.#folder = sessionsFolder(dataFolder);
  }

  /** The memory of a session; empty for a new one, and where its file cannot be read. */
  read(session: string): Session {
    return this.#read(`${sessionHash(session)}.json`);
  }

  #read(name: string): Session {
    try {
      return { ...NEW, ...JSON.parse(String(readBounded(join(this.#folder, name)))) };
    } catch {
      return { ...NEW };
    }
  }

  /** Writes it whole or not at all. Throws where nothing can be written. */
  write(session: string, state: Session): void {
    const newest = <Value>(all: Record<string, Value>) =>
      Object.fromEntries(Object.entries(all).slice(-MANY));
    const partial = `${this.#file(session)}.${process.pid}`;
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    writeFileSync(
      partial,
      JSON.stringify({
        ...state,
        words: newest(state.words),
        said: newest(state.said),
        told: state.told.slice(-TOLD),
      }),
      { mode: 0o600 },
    );
    renameSync(partial, this.#file(session));
  }

  /**
   * Does work while no other event of the session is answered; after some patience, or where nothing can be locked, all the
   * same.
   */
  async inTurn<Result>(session: string, work: () => Promise<Result>): Promise<Result> {
    let isBegun = false;
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      const file = join(this.#folder, `${sessionHash(session)}.lock`);
      return await locked(file, { patience: PATIENCE, refusal: () => new Error('not in turn') }, () => {
        isBegun = true;
        return work();
      });
    } catch (error) {
      if (isBegun) throw error;
      return work();
    }
  }

  /** The subjects of a memory's last sessions: files that they changed, and decisions that they were shown. */
  lately(session: string, memory: string | undefined): { paths: string[]; ids: string[] } {
    const last = this.#newest(memory, session).slice(0, LATELY.sessions);
    const ids = last.flatMap(({ said }) => Object.keys(said)).filter((id) => !/[ #]/.test(id));
    return {
      paths: [...new Set(last.flatMap(({ changed }) => changed))],
      ids: [...new Set(ids)].slice(0, MANY),
    };
  }

  /** The files of a repository in this state, as git told a session: to ask git takes longer than all else. */
  layout(session: string, of: string, memory: string | undefined): Layout | undefined {
    const own = this.read(session);
    // Most events find it here, and need not read the files of other sessions.
    if (own.layout?.of === of && own.memory !== undefined && own.memory === memory) return own.layout;
    return this.#newest(memory, session).find(({ layout }) => layout?.of === of)?.layout;
  }

  /** The sessions of a memory, the newest first. @param but one that is left out */
  #newest(memory: string | undefined, but?: string): Session[] {
    const own = but === undefined ? '' : `${sessionHash(but)}.json`;
    return namesIn(this.#folder)
      .filter((name) => name.endsWith('.json') && name !== own)
      .map((name) => ({
        name,
        at: statSync(join(this.#folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0,
      }))
      .sort((a, b) => b.at - a.at)
      .slice(0, LATELY.files)
      .map(({ name }) => this.#read(name))
      .filter(({ memory: of }) => of !== undefined && of === memory);
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
   * The subjects of the last tasks of a type, the newest first. Those that start at once look the same:
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

/** A word or a path as a session remembers it: too short a hash to tell which one it was. */
export function wordHash(session: string, word: string): string {
  return hashOf(session, word).slice(0, 6);
}

/** How the names begin of what is kept for subagents of a type. */
const taskOf = (session: string, type: string): string => `${hashOf(session)}-${hashOf(type)}-`;

function hashOf(...parts: string[]): string {
  return shortHash(parts.join('\0'));
}
