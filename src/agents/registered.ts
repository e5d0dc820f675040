import { dirname, join } from 'node:path';
import { jsonIn } from '../domain/text/json.ts';
import { readIfOrdinary } from '../files/bounded.ts';
import { machineIn, statHere } from '../files/machines.ts';
import { type Agent, type Machine, optionsIn, wordsOf } from './agent.ts';
import { currentVersion, launcherIn } from './app/current.ts';
import { Unreadable } from './edit/format.ts';
import { isGroup, valueAt } from './edit/value.ts';
import { type Entry, FORMATS } from './entry.ts';
import { settingsIn } from './files.ts';
import { type Remote, remoteIn, TOKEN } from './remote.ts';

/** A server of ours as an agent has it, whoever entered it. */
export interface Registered {
  /** Set for one that is reached over HTTP; and whether the agent shows it the token of our variable. */
  remote?: Remote & { hasToken: boolean };
  /** The options in its command line that say which memory is meant. */
  options: { db?: string; workspace?: string };
  /** The environment it has, as far as it is known: the agent gives it this one, or a part of it. */
  environment: Record<string, string | undefined>;
  /** Variables that say which memory is meant, are set here, and do not reach it. */
  lost: string[];
  /** The version it starts; undefined where that cannot be found out, as of one that is fetched. */
  version?: string | undefined;
  /** A program in its command line that is not there. */
  gone?: string | undefined;
}

/** Reads what is entered as a server. @param present the server as it is in the settings */
export function readRegistered(
  agent: Agent,
  present: Record<string, unknown>,
  { environment }: Machine,
  dataFolder: string,
): Registered {
  const words = wordsOf(present);
  const remote = remoteIn(present);
  if (remote) {
    const hasToken = JSON.stringify(present).includes(TOKEN);
    return { remote: { ...remote, hasToken }, options: {}, environment, lost: [] };
  }
  // A project's settings may name another machine, where nobody looks (Z-15).
  const near = words.filter((word) => [undefined, machineIn(dataFolder)].includes(machineIn(word)));
  const given = textsOf(present.env ?? present.environment);
  const passed = agent.envPassthrough && textList(present.env_vars);
  const own = passed ? Object.fromEntries(passed.map((name) => [name, environment[name]])) : environment;
  return {
    options: optionsIn(present),
    environment: { ...own, ...given },
    lost: (agent.envPassthrough ?? []).filter(
      (name) => environment[name] && !passed?.includes(name) && given[name] === undefined,
    ),
    version: versionOf(near, dataFolder),
    gone: near.find((word) => IS_PROGRAM.test(word) && !statHere(word)),
  };
}

const IS_PROGRAM = /^(?:\/|[a-z]:\\).*(?:\.cjs|node(?:\.exe)?)$/i;

function versionOf(words: readonly string[], dataFolder: string): string | undefined {
  const program = words.find((word) => /[\\/]precedent\.cjs$/.test(word));
  if (program === undefined) return undefined;
  if (program === launcherIn(dataFolder)) return currentVersion(dataFolder);
  const described = jsonIn(`${readIfOrdinary(join(dirname(program), '..', 'package.json'))}`);
  return isGroup(described) && typeof described.version === 'string' ? described.version : undefined;
}

const textList = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
const textsOf = (value: unknown): Record<string, string> =>
  isGroup(value)
    ? Object.fromEntries(
        Object.entries(value).filter((each): each is [string, string] => typeof each[1] === 'string'),
      )
    : {};

/** What replaces an entry. @throws Unreadable */
export function presentAt({ file, project, format, path }: Entry): unknown {
  const text = settingsIn(file, project);
  if (text === undefined || format === 'text') return text;
  try {
    return valueAt(FORMATS[format].read(text), path);
  } catch (error) {
    throw error instanceof Unreadable ? new Unreadable(`${file}: ${error.message}`) : error;
  }
}

/** The server under our name, else one under another that starts Precedent all the same. */
export function serverIn(server: Entry): Record<string, unknown> | undefined {
  const servers = presentAt({ ...server, path: server.path.slice(0, -1) });
  if (!isGroup(servers)) return undefined;
  const all = Object.entries(servers).filter((each): each is [string, Record<string, unknown>] =>
    isGroup(each[1]),
  );
  const [, found] =
    all.find(([name]) => name === server.path.at(-1)) ??
    all.find(([, each]) => wordsOf(each).some((word) => PROGRAM.test(word))) ??
    [];
  return found;
}

const PROGRAM = /(?:^|[\\/])precedent(?:-memory)?(?:\.cjs|@[^/]*)?$/;
