import type { Entry } from './entry.ts';

/** Whether an agent runs hooks, as its files say; `unknown` where these do not decide it. */
export type Trusted = 'trusted' | 'not trusted' | 'unknown';

/** Asks one question. @returns the result @throws PrecedentError `unavailable` for an error */
export type Ask = (method: string, params: object) => Promise<unknown>;

/** A conversation with the agent's own server, which ends with it. */
export type Converse = <Result>(
  talk: (ask: Ask, notify: (method: string) => void) => Promise<Result>,
) => Promise<Result>;

/** A hook of ours, as the agent sees it. */
export interface SeenHook {
  /** What makes it trusted, in the settings of the agent. */
  trust: Entry;
  isTrusted: boolean;
}

/** How it is found out whether an agent trusts the hooks that were entered: without trust it skips them. */
export interface Trust {
  /** What a person does to trust them in the agent itself. */
  byHand: string;
  /** The arguments that start the agent's own server. */
  server: readonly string[];
  /**
   * What the agent makes of the hooks in its settings.
   * @param hooks as they were entered
   * @throws PrecedentError `unavailable` when it does not see them all
   */
  ask(converse: Converse, hooks: readonly Entry[]): Promise<SeenHook[]>;
  /**
   * The same as its files say; nothing is started.
   * @param present what the file of hooks says
   * @param settings what the file with the server says
   */
  read(hooks: readonly Entry[], present: Record<string, unknown>, settings: Record<string, unknown>): Trusted;
  /** Whether the hooks of our plugin are trusted. @param settings as above */
  readPlugin(settings: unknown): Trusted;
}
