import type { Entry } from '../entry.ts';
import type { System } from './conversation.ts';

/** A hook of ours, as the agent sees it. */
export interface SeenHook {
  /** What makes it trusted, in the settings of the agent. */
  trust: Entry;
  isTrusted: boolean;
}

/** How it is found out whether an agent trusts the hooks that were entered: one that asks its user first skips them else. */
export interface Trust {
  /** What a person does to trust them in the agent itself, as `type /hooks in it`. */
  byHand: string;
  /** The words that start the agent's own server, behind its program: it is asked. */
  server: readonly string[];
  /**
   * What the agent makes of the hooks that stand in its settings.
   * @param program absolute path of the agent
   * @param hooks as they were entered
   * @throws PrecedentError `unavailable` when it does not answer, or does not see them all
   */
  ask(program: string, system: System, hooks: readonly Entry[]): Promise<SeenHook[]>;
}
