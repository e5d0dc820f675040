import { isDeepStrictEqual } from 'node:util';
import { compareVersions } from 'compare-versions';
import { PrecedentError } from '../domain/error.ts';
import {
  type Agent,
  type Launch,
  type Machine,
  type SetupRequest,
  type Trust,
  type Trusted,
  whereIn,
} from './agent.ts';
import { currentVersion } from './app/current.ts';
import { Unreadable } from './edit/format.ts';
import type { Entry } from './entry.ts';
import type { Manifest } from './manifest.ts';
import { type Change, planAgent } from './plan.ts';
import { hasPlugin } from './plugin.ts';
import { presentAt, type Registered, readRegistered, serverIn } from './registered.ts';
import { endpointOf, remotePins } from './remote.ts';
import { ofProject } from './shared.ts';

/** What an agent has of Precedent. */
export interface AgentStatus extends HooksStatus {
  agent: string;
  title: string;
  /**
   * What put the server into the agent's settings: setup, a person, the plugin, or a file of this project for everybody.
   * `missing`: it is not there. `unreadable`: the settings cannot be read.
   */
  server: 'setup' | 'by hand' | 'plugin' | 'project' | 'missing' | 'unreadable';
  /** The address of the server that it uses, unless it starts one itself. */
  url?: string;
  /** Whether the skill is there, in any version: the agent loads it. */
  skill?: boolean;
  /** The version of Precedent that it starts, where that can be found out. */
  version?: string;
  /** What a person should know or do. */
  notes: string[];
}

/** What {@link statusOf} compares with. */
export interface Here {
  machine: Machine;
  request: SetupRequest;
  manifest: Manifest;
  dataFolder: string;
  /** The version of Precedent that is running now. */
  version: string;
}

/** Reads the settings of an agent and changes nothing. @returns also its server, for further comparisons */
export function statusOf(agent: Agent, here: Here): { status: AgentStatus; registered?: Registered } {
  const { machine, request, manifest, dataFolder } = here;
  const status: AgentStatus = { agent: agent.name, title: agent.title, server: 'missing', notes: [] };
  if (agent.isPerProject && machine.project === undefined) return { status };
  try {
    if (hasPlugin(agent, machine)) return pluginStatus(agent, status, here);
    const entries = agent.entries(machine, request);
    const skill = entries.find(({ part }) => part === 'skill');
    if (skill) {
      status.skill = presentAt(skill) !== undefined;
      status.notes.push(...skillNotes(agent, skill, writtenAs(manifest, skill)));
    }
    const server = entries.find(({ part }) => part === 'server');
    const present = server && serverIn(server);
    const registered = present && readRegistered(agent, present, machine, dataFolder);
    // The options and variables that name a memory are a part of what was asked of setup.
    const launch = registered ? { ...request.launch, ...meantBy(registered) } : request.launch;
    const meant = agent.entries(machine, { ...request, hooks: true, launch });
    const mend = mendFor(agent, here, meant);
    const { hooks, trusted, notes } = hooksOf(agent, meant, machine, mend);
    Object.assign(status, hooks !== undefined && { hooks }, trusted !== undefined && { trusted });
    status.notes.push(...notes);
    const wanted = meant.find(({ part }) => part === 'server');
    if (!wanted || !present || !registered) return inFilesOfProject(agent, status, here);
    const written = writtenAs(manifest, wanted);
    const { version, remote } = registered;
    return {
      status: {
        ...status,
        server: written ? 'setup' : 'by hand',
        ...(version !== undefined && { version }),
        ...(remote && { url: endpointOf(remote) }),
        notes: [
          ...serverNotes(wanted, present, registered, written, mend),
          ...versionNotes(here, version, mend),
          ...status.notes,
        ],
      },
      registered,
    };
  } catch (error) {
    if (!(error instanceof Unreadable || error instanceof PrecedentError)) throw error;
    return { status: { ...status, server: 'unreadable', notes: [error.message, ...status.notes] } };
  }
}

/** A server that everybody who works on the project has is as good as one of this person alone. */
function inFilesOfProject(
  agent: Agent,
  status: AgentStatus,
  { machine, request, dataFolder }: Here,
): ReturnType<typeof statusOf> {
  if (machine.project === undefined) return { status };
  const shared = ofProject(machine.project, agent.shared(machine.project, request.launch, request.tools));
  const server = shared.find(({ part }) => part === 'server');
  const present = server && serverIn(server);
  if (!present) return { status };
  const registered = readRegistered(agent, present, machine, dataFolder);
  const { remote } = registered;
  return { status: { ...status, server: 'project', ...(remote && { url: endpointOf(remote) }) }, registered };
}

/** The entry as setup wrote it last; undefined where it did not. */
function writtenAs(manifest: Manifest, { file, part }: Entry): Entry | undefined {
  return manifest.written
    .filter((each) => each.file === file)
    .flatMap(({ entries }) => entries)
    .find((each) => each.part === part);
}

/** Notes about a skill that differs from the one that setup writes. */
function skillNotes({ name }: Agent, skill: Entry, written: Entry | undefined): string[] {
  const present = presentAt(skill);
  if (present === undefined || present === skill.value) return [];
  if (!written) return [`its skill is not the one that setup writes: ${skill.file}`];
  return present === written.value
    ? [`its skill is of another version; "precedent setup ${name}" renews it`]
    : [`its skill was changed since setup: ${skill.file}`];
}

function meantBy({ options, remote }: Registered): Pick<Launch, 'pins' | 'remote'> {
  if (remote) return { pins: remotePins(remote), remote };
  return { pins: Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]) };
}

function serverNotes(
  wanted: Entry,
  present: Record<string, unknown>,
  { gone, lost }: Registered,
  written: Entry | undefined,
  mend: Mend,
): string[] {
  const said = whereIn(present);
  const isOther = written !== undefined && said !== whereIn(wanted.value as Record<string, unknown>);
  const amiss = gone !== undefined ? `${gone}, which is not there` : isOther ? said : undefined;
  return [
    ...(amiss === undefined ? [] : [`it starts ${amiss}; ${mend('server', 'enters this installation')}`]),
    ...(lost.length > 0
      ? [`it does not get ${lost.join(', ')}, so it may use another memory: list it in its env_vars`]
      : []),
  ];
}

function versionNotes(here: Here, version: string | undefined, mend: Mend): string[] {
  if (version === undefined || version === here.version) return [];
  const said = `it starts version ${version}, and this is ${here.version}`;
  return compareVersions(version, here.version) > 0
    ? [`${said}: update this one`]
    : [`${said}; ${mend('server', 'enters this one')}`];
}

/** The hooks of an agent: whether they are there, and whether the agent runs them. */
interface HooksStatus {
  /** Whether all are there, as setup would write them. */
  hooks?: boolean;
  /** Whether the agent runs them; left out if it runs hooks without asking. */
  trusted?: Trusted;
}

/** Advice for a note: what a person does so that setup writes a part as it should be. */
type Mend = (part: Entry['part'], does: string) => string;

/** Looks at the hooks of an agent. @param entries all that setup enters for it, hooks included @throws Unreadable */
function hooksOf(
  agent: Agent,
  entries: readonly Entry[],
  machine: Machine,
  mend: Mend,
): HooksStatus & { notes: string[] } {
  const hooks = entries.filter(({ part, isFileHeader }) => part === 'hooks' && !isFileHeader);
  if (hooks.length === 0) return { notes: [] };
  if (!hooks.every(isThere)) {
    const isOther = hooks.some((hook) => isThere(hook) || isOurs(presentAt(hook)));
    const renewed = `its hooks are not as setup writes them; ${mend('hooks', 'renews them')}`;
    return { hooks: false, notes: isOther ? [renewed] : [] };
  }
  const server = entries.find(({ part }) => part === 'server');
  const { trust } = agent;
  if (!trust || !server) return { hooks: true, notes: [] };
  const [there, settings] = [hooks[0] ?? server, server].map((each) => presentAt({ ...each, path: [] }));
  const trusted = trust.read(hooks, there, settings);
  return { hooks: true, trusted, notes: trustNotes(agent, trust, trusted, machine) };
}

function trustNotes(
  { name, programs }: Agent,
  { byHand }: Trust,
  trusted: Trusted,
  machine: Machine,
): string[] {
  if (trusted === 'trusted') return [];
  if (trusted === 'unknown') return [`its files do not say whether it trusts the hooks: ${byHand}`];
  // Setup asks its program.
  const setup = programs.some(machine.hasProgram) ? `, or run "precedent setup ${name} --trust"` : '';
  return [`it skips the hooks until they are trusted: ${byHand}${setup}`];
}

function isThere(entry: Entry): boolean {
  const present = presentAt(entry);
  if (!entry.isItem) return isDeepStrictEqual(present, entry.value);
  return Array.isArray(present) && present.some((each) => isDeepStrictEqual(each, entry.value));
}

/** Whether something in there starts a hook of Precedent, in whatever form. */
const isOurs = (present: unknown): boolean =>
  /precedent(?:\.cjs)?\b.*\bhook\b/.test(JSON.stringify(present) ?? '');

/**
 * Advice that works. Setup does not change what a person entered, or changed since setup, so this plans a setup to see.
 * @param meant what setup would write
 * @throws PrecedentError as {@link planAgent}
 */
function mendFor(agent: Agent, { machine, manifest }: Here, meant: readonly Entry[]): Mend {
  const plan = planAgent(manifest, agent.name, agent.folder(machine), meant);
  const setup = `"precedent setup ${agent.name}"`;
  return (part, does) => {
    const left = plan.find((change) => leaves(change, part));
    if (!left) return `${setup} ${does}`;
    const isOurs = left.changed.some((each) => each.part === part);
    const why = isOurs
      ? 'this was changed since setup, so setup does not change it'
      : 'setup does not change what was entered by hand';
    // Setup does not write again an item that somebody removed, until setup without hooks forgets it.
    const isItem = meant.some((entry) => entry.file === left.file && entry.part === part && entry.isItem);
    const forget = isOurs && isItem ? `"precedent setup ${agent.name} --no-hooks" and then ` : '';
    return `${why}: take it out of ${left.file}, then ${forget}${setup} ${does}`;
  };
}

const leaves = ({ userEntries, changed }: Change, part: Entry['part']): boolean =>
  [...userEntries, ...changed].some((each) => each.part === part);

/**
 * The status of an agent with the plugin, which brings server, skill and hooks. Its hooks run the copy that setup makes.
 * @param status what is known so far
 * @throws Unreadable
 */
function pluginStatus(
  agent: Agent,
  status: AgentStatus,
  { machine, request, manifest, dataFolder }: Here,
): { status: AgentStatus; registered: Registered } {
  const notes: string[] = [];
  const hooks = currentVersion(dataFolder) !== undefined;
  if (!hooks) notes.push(`the hooks of its plugin say nothing until "precedent setup ${agent.name}" has run`);
  const server = agent.entries(machine, request).find(({ part }) => part === 'server');
  if (server && serverIn(server)) {
    const isOurs = manifest.written.some(
      ({ agent: name, entries }) => name === agent.name && entries.some(({ part }) => part === 'server'),
    );
    const mend = isOurs
      ? `"precedent setup ${agent.name}" takes the second one out`
      : 'take the second one out';
    notes.push(`it has the server twice, from its plugin and in ${server.file}: ${mend}`);
  }
  const trusted = server && agent.trust?.readPlugin(presentAt({ ...server, path: [] }));
  if (trusted === 'not trusted')
    notes.push(`it skips the hooks of its plugin until they are trusted: ${agent.trust?.byHand}`);
  return {
    status: { ...status, server: 'plugin', hooks, ...(trusted && { trusted }), skill: true, notes },
    registered: { options: {}, environment: machine.environment, lost: [] },
  };
}
