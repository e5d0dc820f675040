import type { HookEvent } from '../event.ts';

/** A program that runs hooks: how it is recognised, and in what form it takes a context. */
export interface Host {
  /** What stands behind `precedent hook`. */
  name: string;
  /** How the names begin that it gives itself as a client of MCP servers, in small letters. */
  clients: readonly string[];
  /** The names of the programs that run its hooks, too. */
  sharedWith?: readonly string[];
  /**
   * Set where it runs the hooks of another one: whether it is this one that runs.
   * @param payload what it sent
   */
  isRunning?(environment: Readonly<Record<string, string | undefined>>, payload: object): boolean;
  /** What it reads on standard output; undefined where it takes no context with such an event. */
  answer(event: HookEvent, context: string): object | undefined;
}
