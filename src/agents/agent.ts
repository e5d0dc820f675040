import { join } from 'node:path';
import type { Value } from './edit/value.ts';
import type { Entry } from './entry.ts';
import { type Remote, remoteIn } from './remote.ts';

/** Seconds that an agent waits for a hook: more than three times what the hook itself allows. */
export const HOOK_TIMEOUT = 5;
/** The names of the plugin of Precedent and of its marketplace. */
export const PLUGIN = 'precedent@precedent';

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

/** The entry that setup is to make. */
export interface SetupRequest {
  launch: Launch;
  /** Names of the tools that destroy nothing: an agent may call them without asking. */
  tools: readonly string[];
  /** The text of the skill. */
  skill: string;
  /** Whether the hooks are entered too. */
  hooks: boolean;
  /** Whether a lock asks before a file that it binds is changed, of an agent that can ask (RE-15). */
  asksLocks?: boolean;
}

/**
 * The meaning of an event of an agent: a session starts, or a subagent of it; a person sends a message; a tool is about to be
 * called; one has read or changed files, or failed.
 */
export type EventKind = 'start' | 'subagent' | 'prompt' | 'call' | 'file' | 'error';

/** How an agent calls `precedent hook`, and in what form it reads the answer. */
export interface HookSupport {
  /** The names of its events that are answered. */
  events: Readonly<Record<string, EventKind>>;
  /** How the names begin that it gives itself as a client of MCP servers, in lower case. */
  clients: readonly string[];
  /** The names of the agents that run hooks in its settings, too. */
  alsoRunBy?: readonly string[];
  /**
   * Set where it runs the hooks of another agent: whether it is this one that runs.
   * @param payload what it sent
   */
  isRunning?(environment: Readonly<Record<string, string | undefined>>, payload: object): boolean;
  /**
   * The text that it reads on standard output; undefined where it takes no context with such an event.
   * @param message a text for its person, by its own means or, where it has none, from the model (T-12)
   */
  answer(event: { kind: EventKind; name: string }, context: string, message?: string): object | undefined;
  /**
   * The answer that makes it ask its person before it calls a tool; left out where it cannot, undefined where nobody is there.
   * @param why what the person reads
   */
  ask?(why: string, environment: Readonly<Record<string, string | undefined>>): object | undefined;
}

/** A context in which the model is asked to tell its person something, for an agent that shows them no message of a hook. */
export const withMessage = (context: string, message?: string): string =>
  message === undefined ? context : `${context} Tell the user: ${message}`;

/** Where an agent records its plugins, and how a person removes ours. */
interface PluginSupport {
  /** The file, in the folder of its settings. */
  file: string;
  format: Exclude<Entry['format'], 'text'>;
  /** Leads to `true` when the plugin is on. */
  path: readonly string[];
  /** The command that removes it. */
  remove: string;
}

/**
 * A coding agent: where it keeps its settings, in what form it wants things entered, and how its hooks are answered. All
 * that is known of one is in its file in `hosts/`.
 */
export interface Agent {
  /** A prompt, as a person types it. */
  name: string;
  /** A text, as a person reads it. */
  title: string;
  /** The programs by which it is known to be on a machine. */
  programs: readonly string[];
  /** The folder of its settings; it is on a machine that has one. */
  folder(machine: Machine): string;
  /**
   * The files in which people instruct it, as patterns: `*` in one folder, `**` in any below. AGENTS.md of a project, which most
   * agents read, is in `agents.ts`.
   */
  instructions: { home: readonly string[]; project: readonly string[] };
  /** Set when it is set up in each project, and only when it is asked for by name. */
  isPerProject?: true;
  /** Set when it silently skips hooks that its user did not trust. */
  trust?: Trust;
  /** Set where it can have the plugin of Precedent. */
  plugin?: PluginSupport;
  /** How a command that it starts is known: no person types it (Z-14). Left out where a person's own terminal looks the same. */
  shell?: {
    /** It sets at least one of these variables. */
    sets: readonly string[];
    /** The name of its process, as a parent. */
    programs: readonly string[];
  };
  hook: HookSupport;
  /**
   * Set where it skips a server for a while, without a word, after it got no answer from it: until when, in milliseconds, as the
   * agent itself notes it (RE-12).
   * @returns undefined where it skips none of ours
   */
  skips?(machine: Machine): { until: number; notedIn: string } | undefined;
  /** All that setup enters, without regard to the plugin. @throws PrecedentError `invalid` where that cannot be */
  entries(machine: Machine, request: SetupRequest): Entry[];
  /**
   * The entries in the files of a project, for everybody who works on it.
   * @param launch names no path of this machine
   */
  shared(project: string, launch: Launch, tools: readonly string[]): Entry[];
  /** Under what the list of setup keeps what it wrote; left out: the name. */
  owner?: string;
  /** Notes for the person after setup. */
  afterSetup?: string;
}

/** The words after Node that start the server. */
export function serverArgs({ options = [], program, pins }: Launch): string[] {
  return [...options, ...(program === '' ? [] : [program]), ...pins, 'mcp'];
}

/** The command line of a server that is entered, in whatever form an agent has it. */
export function wordsOf({ command, args }: Record<string, unknown>): string[] {
  return [command, args].flat().filter((word) => typeof word === 'string');
}

/** The options in a server of ours that say which memory is meant, with their values. */
export function optionsIn(server: Record<string, unknown>): {
  db?: string;
  url?: string;
  workspace?: string;
} {
  const words = wordsOf(server);
  const given = (name: string) =>
    words.find((_, at) => words[at - 1] === `--${name}`) ??
    words.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3);
  const found = remoteIn(server) ?? { db: given('db'), workspace: given('workspace') };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}

/** Follows the name of an agent in the command line of its hooks, where locks ask (RE-15). */
export const ASK_LOCKS = '--ask-locks';

/** The command line that answers an event of an agent. */
export function hookWords({ node, program, pins }: Launch, agent: string): [string, ...string[]] {
  return [node, program, ...pins, 'hook', agent];
}

/** The server, in a file of JSON that has servers in this group. */
export function serverAt(file: string, group: string, value: Value): Entry {
  return { part: 'server', file, format: 'json', path: [group, 'precedent'], value };
}

/** A file that is all ours. */
export function ownFile(part: Entry['part'], file: string, value: string): Entry {
  return { part, file, format: 'text', path: [], value };
}

/** The skill, where most agents look for it. */
export function skillIn(folder: string, skill: string): Entry {
  return ownFile('skill', join(folder, 'skills', 'precedent', 'SKILL.md'), skill);
}

/** A hook in the list of its event, after those of others. */
export function hookAt(file: string, event: string, value: Value): Entry {
  return { part: 'hooks', file, format: 'json', path: ['hooks', event], value, isItem: true };
}

/**
 * A hook for each of these events, where an agent has them in groups as Claude Code does.
 * @param matchers which tools are meant, or which starts, by the event
 */
export function hooksAt(
  file: string,
  events: HookSupport['events'],
  hook: Value,
  matchers: Readonly<Record<string, string>>,
): Entry[] {
  return Object.keys(events).map((event) =>
    hookAt(file, event, { ...(matchers[event] && { matcher: matchers[event] }), hooks: [hook] }),
  );
}

/** How an agent says that it trusts hooks: without trust it skips them. */
interface Trust {
  /** The step by which a person trusts them in the agent itself. */
  byHand: string;
  /** Leads to a group with a key for each hook that is trusted, in the file with the server. */
  path: readonly string[];
}
