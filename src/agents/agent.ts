import type { Entry } from './entry.ts';
import { endpointOf, type Remote, remoteIn, remotePins } from './remote.ts';
import type { Trust } from './trust/trust.ts';

/** The machine whose agents are set up, as far as they look at it. */
export interface Machine {
  /** The home of the account. */
  home: string;
  environment: Readonly<Record<string, string | undefined>>;
  platform: NodeJS.Platform;
  /** The top folder of the project around the working folder; undefined in the home folder itself. */
  project: string | undefined;
  /** Whether a program of this name can be started. */
  hasProgram(name: string): boolean;
}

/** How this installation of Precedent is started. */
export interface Launch {
  /** Absolute path of Node; in a file that is shared the name of a program. */
  node: string;
  /** Its own options. */
  options?: readonly string[];
  /** Absolute path of the program, at a place that stays, or the name of its package; empty where `node` is the program. */
  program: string;
  /** Options that say which memory is meant; empty: that of the repository. */
  pins: readonly string[];
  /** Set where a server is reached over HTTP instead of started. The hooks are started here all the same, and ask it. */
  remote?: Remote;
}

/** What is entered. */
export interface Wish {
  launch: Launch;
  /** Names of the tools that destroy nothing: an agent may call them without asking. */
  tools: readonly string[];
  /** The text of the skill. */
  skill: string;
  /** Whether the hooks are entered too. */
  hooks: boolean;
}

/** A coding agent: where it keeps its settings, and in what form it wants things entered. */
export interface Agent {
  /** What a person types. */
  name: string;
  /** What a person reads. */
  title: string;
  /** The programs by which it is known to be on a machine. */
  programs: readonly string[];
  /** The folder of its settings; it is on a machine that has one. */
  folder(machine: Machine): string;
  /** Set when it is set up in each project, and only when it is asked for by name. */
  isPerProject?: true;
  /** The variables that it gives a server because `env_vars` names them; left out: it gives all. */
  passedOn?: readonly string[];
  /** Set when it skips hooks that its user did not trust, without a word. */
  trust?: Trust;
  /** All that setup enters. @throws PrecedentError `invalid` where that cannot be */
  entries(machine: Machine, wish: Wish): Entry[];
  /** Set where it can have the plugin of Precedent: the agent as it is without. */
  bare?: Agent;
  /**
   * What is entered in the files of a project, for everybody who works on it.
   * @param launch names no path of this machine
   */
  shared(project: string, launch: Launch, tools: readonly string[]): Entry[];
  /** Under what the list of setup keeps what it wrote; left out: the name. */
  owner?: string;
  /** What a person does after setup, where that is not obvious. */
  afterwards?: string;
}

/** Whether an agent is on this machine. */
export function isFound(agent: Agent, machine: Machine, exists: (path: string) => boolean): boolean {
  return agent.programs.some((program) => machine.hasProgram(program)) || exists(agent.folder(machine));
}

/** The words after Node that start the server. */
export function serverArgs({ options = [], program, pins }: Launch): string[] {
  return [...options, ...(program === '' ? [] : [program]), ...pins, 'mcp'];
}

/** The command line of a server that is entered, in whatever form an agent has it. */
export function wordsOf({ command, args }: Record<string, unknown>): string[] {
  return [command, args].flat().filter((word) => typeof word === 'string');
}

/** The options in a server of ours that say which memory is meant, each with its value. */
export function pinsOf(server: Record<string, unknown>): string[] {
  const remote = remoteIn(server);
  const words = remote ? remotePins(remote) : wordsOf(server);
  return words.flatMap((word, at) =>
    ['--db', '--url', '--workspace'].includes(word) ? [`${word} ${words[at + 1]}`] : [],
  );
}

/** What says where a server is: the words that start it, or its address. */
export function whereIn(server: Record<string, unknown>): string {
  const remote = remoteIn(server);
  return remote ? endpointOf(remote) : wordsOf(server).join(' ');
}

/** The words after Node that answer an event of an agent. */
export function hookArgs({ program, pins }: Launch, agent: string): string[] {
  return [program, ...pins, 'hook', agent];
}
