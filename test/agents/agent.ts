import type { Step } from './protocols/protocol.ts';
import type { Rig } from './rig.ts';

/** One coding agent: how it is installed, how it is started where nobody can be asked, and what it does with a context. */
export interface Agent {
  /** What stands behind `precedent setup`. */
  name: string;
  /** The npm package, and the version that all of this was tried with. */
  package: string;
  version: string;
  /** The models that it is started with: some change what the agent shows them. */
  models: readonly string[];
  /** What stands in its settings before setup, by path below the home. @param url of the model */
  settings(url: string): Record<string, string>;
  /** Variables that lead it to the model. */
  environment(url: string): Record<string, string>;
  /** The words after the program that send one prompt in a new session. */
  prompt(text: string, model: string): string[];
  /** A call of a tool of Precedent. */
  call(tool: string, input: object, model: string): Step;
  /** Calls of its own tools that read a file, then change its word "one" to "two". @param file absolute */
  edit(file: string, model: string): Step[];
  /** A call of its own tool that runs a command. */
  shell(command: string, model: string): Step;
  /** As whose message the model reads a context: at the start of a session, and with a prompt. */
  roles: { start: string; prompt: string };
  /** Files that it rewrites while it runs: after unsetup these are the same but for what the agent put there. */
  rewrites?: readonly string[];
  /** Does what its person does so that it trusts the hooks; left out where it runs them without asking. */
  trust?(rig: Rig): Promise<void>;
  /**
   * Sends a prompt in a new session, compacts it, and sends another prompt: each asks the model once. Left out where the
   * agent has no event for it.
   */
  compact?(rig: Rig, first: string, second: string): Promise<void>;
  /** How the model starts a subagent. Left out where the agent has no event for it. */
  subagent?: {
    start(task: string): Step;
    /** Set where only this model may start one. */
    model?: string;
    /** Set where it runs aside, and no hook learns what it is to do. */
    isAside?: true;
  };
}
