import { hostname } from 'node:os';
import { newId } from '../domain/id.ts';
import type { PromptRead } from '../domain/prompt/reading.ts';
import { label } from '../domain/text/label.ts';
import { type AboutPrompt, aboutPrompt } from '../operations/briefing/about-prompt.ts';
import { atFiles, type FilesTouched } from '../operations/briefing/at-files.ts';
import type { Lately, Start } from '../operations/briefing/at-start.ts';
import { recordPrompt } from '../operations/briefing/keywords.ts';
import type { Fact } from '../operations/briefing/line.ts';
import type { NamingText } from '../operations/briefing/opposing.ts';
import { patternsHere } from '../store/decisions/naming.ts';
import type { countedCorrections } from '../store/search/corrections.ts';
import { Store } from '../store/store.ts';
import { openEngine } from './engines.ts';

export type { AboutPrompt } from '../operations/briefing/about-prompt.ts';
export type { Start } from '../operations/briefing/at-start.ts';

/** A memory as far as an agent is shown it without asking. */
export interface Briefing {
  /** The text with which a session starts. */
  atStart(lately: Lately): Promise<Start>;
  /** Records that are relevant to a prompt. @param shown ids that the session was shown before */
  about(prompt: PromptRead, shown: ReadonlySet<string>): Promise<AboutPrompt>;
  /** Rules, failures and other decisions of files (RE-3). */
  atFiles(touched: FilesTouched): Promise<Fact[]>;
  /** Records about an error that a tool ended with (RE-4). @param lines those that say what went wrong */
  atError(lines: string[]): Promise<Fact[]>;
  /** Records that are against the names of a text, or whose hints it has (RE-5, RE-16). */
  named(text: NamingText): Promise<Fact[]>;
  /** The last corrections, the newest first, to compare files with; undefined on a server. */
  corrections?(): ReturnType<typeof countedCorrections>;
  /** The patterns by which decisions name files. */
  patterns(): Promise<string[]>;
  /**
   * Records the words of a prompt as keywords of the session's conversation (M-11), in one try that waits for no lock.
   * @param words those of the prompt that may be recorded
   */
  record(words: string[], isRepeated: (word: string) => boolean): Promise<void>;
  close(): Promise<void>;
}

/** Corrections that a file is compared with: an agent waits. */
const CORRECTIONS = 200;

/** The session that is shown it, and its place. */
interface BriefingOptions {
  db: string;
  workspace: string;
  /** The session of the agent, and the agent's name. */
  session: string;
  client: string;
}

/**
 * Opens a memory for a moment, without the operations and what reads their inputs, which take longer to load than all
 * that is asked here. Nothing is created, upgraded or copied, and no lock is waited for.
 * @throws PrecedentError `not_found` when there is none, `unavailable` when it cannot be used as it is
 */
export async function openBriefing({ db, workspace, session, client }: BriefingOptions): Promise<Briefing> {
  const silent = () => {};
  const engine = await openEngine(db, workspace, silent, { create: false, isHurried: true });
  const store = new Store({ engine, workspace, clock: Date.now, newId, log: silent });
  const conversation = label(session);
  const self = { author: '', host: label(hostname()), client: label(client), session: conversation };
  return {
    async atStart(lately) {
      const { atStart } = await import('../operations/briefing/at-start.ts');
      return store.read(self, (tx) => atStart(tx, lately));
    },
    about: (prompt, shown) => store.read(self, (tx) => aboutPrompt(tx, prompt, shown)),
    atFiles: (touched) => store.read(self, (tx) => atFiles(tx, touched)),
    // Loaded with the events that need them: most are prompts and files.
    async atError(lines) {
      const { atError } = await import('../operations/briefing/at-error.ts');
      return store.read(self, (tx) => atError(tx, lines));
    },
    async named(text) {
      const { namedIn } = await import('../operations/briefing/opposing.ts');
      return store.read(self, (tx) => namedIn(tx, text));
    },
    async corrections() {
      const { countedCorrections } = await import('../store/search/corrections.ts');
      return store.read(self, (tx) => countedCorrections(tx, CORRECTIONS));
    },
    patterns: () => store.read(self, patternsHere),
    async record(words, isRepeated) {
      await store.write(self, (tx) => recordPrompt(tx, conversation, words, isRepeated), { waiting: 0 });
    },
    close: () => store.close(),
  };
}
