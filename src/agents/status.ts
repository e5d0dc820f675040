import { PrecedentError } from '../domain/error.ts';
import { type Agent, type Machine, optionsIn, PLUGIN, type SetupRequest } from './agent.ts';
import { currentVersion } from './app/current.ts';
import { Unreadable } from './edit/format.ts';
import { isHook } from './edit/settings.ts';
import { valueAt } from './edit/value.ts';
import type { Entry } from './entry.ts';
import type { Manifest } from './manifest.ts';
import { hasPlugin } from './plugin.ts';
import { goneIn, presentAt, serverIn, versionIn } from './registered.ts';
import { endpointOf, type Remote, remoteIn, TOKEN } from './remote.ts';
import { ofProject } from './shared.ts';

/** The state of Precedent in an agent. */
export interface AgentStatus {
  agent: string;
  title: string;
  /**
   * The origin of the server in the agent's settings: setup, a person, the plugin, or a file of this project for everybody.
   * `missing`: it is not there. `unreadable`: the settings cannot be read.
   */
  server: 'setup' | 'by hand' | 'plugin' | 'project' | 'missing' | 'unreadable';
  /** The address of the server that it uses, unless it starts one itself. */
  url?: string;
  /** Whether all are there. */
  hooks?: boolean;
  /** Whether the agent says that it trusts them; left out if it runs hooks without asking. */
  trusted?: boolean;
  /** Whether the skill is there, in any version: the agent loads it. */
  skill?: boolean;
  /** The version of Precedent that it starts, where that can be found out. */
  version?: string;
  /** Problems and steps for the person. */
  notes: string[];
}

/** The values that {@link statusOf} compares with. */
export interface Here {
  machine: Machine;
  /** With hooks. */
  request: SetupRequest;
  manifest: Manifest;
  dataFolder: string;
  /** The version of Precedent that is running now. */
  version: string;
}

/** A server over HTTP, and whether the agent shows it the token of our variable. */
export type Reached = Remote & { hasToken: boolean };

interface Found {
  status: AgentStatus;
  /** The server that it reaches over HTTP. */
  remote?: Reached;
  /** The options in the command line of its server that name a memory. */
  options?: ReturnType<typeof optionsIn>;
}

/** Reads the settings of an agent and changes nothing. */
export function statusOf(agent: Agent, here: Here): Found {
  const { machine, request } = here;
  const nothing: AgentStatus = { agent: agent.name, title: agent.title, server: 'missing', notes: [] };
  if (agent.isPerProject && machine.project === undefined) return { status: nothing };
  try {
    const entries = agent.entries(machine, request);
    const server = entries.find(({ part }) => part === 'server');
    if (!server) return { status: nothing };
    if (hasPlugin(agent, machine)) return { status: { ...nothing, ...pluginStatus(agent, server, here) } };
    const skill = entries.find(({ part }) => part === 'skill');
    const status = {
      ...nothing,
      ...(skill && { skill: presentAt(skill) !== undefined }),
      ...hooksStatus(agent, server, entries),
    };
    const present = serverIn(server);
    return present ? connected(agent, server, present, status, here) : inFilesOfProject(agent, status, here);
  } catch (error) {
    if (!(error instanceof Unreadable || error instanceof PrecedentError)) throw error;
    return { status: { ...nothing, server: 'unreadable', notes: [error.message] } };
  }
}

function connected(
  agent: Agent,
  server: Entry,
  present: Record<string, unknown>,
  status: AgentStatus,
  here: Here,
): Found {
  const written = here.manifest.written
    .find(({ file }) => file === server.file)
    ?.entries.find(({ part }) => part === 'server');
  const remote = reachedIn(present);
  const version = versionIn(present, here.dataFolder);
  const setup = `"precedent setup ${agent.name}"`;
  const mend = written ? `${setup} makes it start this one` : `remove it, then ${setup} enters this one`;
  const gone = goneIn(present);
  const notes = [
    ...(gone === undefined ? [] : [`it starts ${gone}, which does not exist: ${anew(agent)}`]),
    ...(version === undefined || version === here.version
      ? []
      : [`it starts version ${version}, and this is ${here.version}: ${mend}`]),
  ];
  return {
    status: {
      ...status,
      server: written ? 'setup' : 'by hand',
      ...(remote && { url: endpointOf(remote) }),
      ...(version !== undefined && { version }),
      notes: [...notes, ...status.notes],
    },
    ...(remote ? { remote } : { options: optionsIn(present) }),
  };
}

function reachedIn(server: Record<string, unknown>): Reached | undefined {
  const remote = remoteIn(server);
  return remote && { ...remote, hasToken: JSON.stringify(server).includes(TOKEN) };
}

/** Setup leaves what a person changed: without the entry it has to write it. */
const anew = ({ name }: Agent): string =>
  `"precedent unsetup ${name}" and "precedent setup ${name}" enter it again`;

/** A server that everybody who works on the project has is as good as one of this person alone. */
function inFilesOfProject(agent: Agent, status: AgentStatus, { machine, request }: Here): Found {
  if (machine.project === undefined) return { status };
  const shared = ofProject(machine.project, agent.shared(machine.project, request.launch, request.tools));
  const server = shared.find(({ part }) => part === 'server');
  const present = server && serverIn(server);
  if (!present) return { status };
  const remote = reachedIn(present);
  return {
    status: { ...status, server: 'project', ...(remote && { url: endpointOf(remote) }) },
    ...(remote && { remote }),
  };
}

/** @throws Unreadable */
function hooksStatus(agent: Agent, server: Entry, entries: readonly Entry[]) {
  const hooks = entries.filter(({ part, isFileHeader }) => part === 'hooks' && !isFileHeader);
  if (hooks.length === 0) return {};
  const found = hooks.map((entry) => ({ entry, present: presentAt(entry) })).filter(isThere);
  if (found.length < hooks.length) {
    const notes = found.length > 0 ? [`some of its hooks are missing: ${anew(agent)}`] : [];
    return { hooks: false, notes };
  }
  const gone = found.map(({ present }) => goneIn(present)).find((file) => file !== undefined);
  const notes = gone === undefined ? [] : [`its hooks start ${gone}, which does not exist: ${anew(agent)}`];
  if (!agent.trust) return { hooks: true, notes };
  const known = Object.keys(valueAt(presentAt({ ...server, path: [] }), agent.trust.path) ?? {});
  const trusted = found.every(({ entry, present }) => {
    // Its keys name the file, the event in snake case, and the place.
    const event = String(entry.path.at(-1))
      .replaceAll(/\B[A-Z]/g, '_$&')
      .toLowerCase();
    const at = Array.isArray(present) ? present.findIndex(isHook) : -1;
    return known.includes(`${entry.file}:${event}:${at}:0`);
  });
  if (!trusted) notes.push(`it skips the hooks until they are trusted: ${agent.trust.byHand}`);
  return { hooks: true, trusted, notes };
}

const isThere = ({ entry, present }: { entry: Entry; present: unknown }): boolean =>
  entry.isItem ? Array.isArray(present) && present.some(isHook) : present !== undefined;

/** The plugin brings server, skill and hooks. Its hooks run the copy that setup makes. @throws Unreadable */
function pluginStatus(agent: Agent, server: Entry, { dataFolder }: Here): Partial<AgentStatus> {
  const hooks = currentVersion(dataFolder) !== undefined;
  const settings = presentAt({ ...server, path: [] });
  const keys = agent.trust && Object.keys(valueAt(settings, agent.trust.path) ?? {});
  const trusted = keys?.some((key) => key.startsWith(`${PLUGIN}:`));
  const notes = [
    ...(hooks ? [] : [`the hooks of its plugin say nothing until "precedent setup ${agent.name}" has run`]),
    ...(serverIn(server)
      ? [`it has the server twice, from its plugin and in ${server.file}: remove the second one`]
      : []),
    ...(trusted === false
      ? [`it skips the hooks of its plugin until they are trusted: ${agent.trust?.byHand}`]
      : []),
  ];
  return { server: 'plugin', hooks, ...(trusted !== undefined && { trusted }), skill: true, notes };
}
