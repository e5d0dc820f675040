import { compareVersions } from 'compare-versions';
import { PrecedentError } from '../../domain/error.ts';
import { type Agent, type Launch, whereIn } from '../agent.ts';
import { Unreadable } from '../edit/format.ts';
import type { Entry } from '../entry.ts';
import type { Manifest } from '../manifest.ts';
import { hasPlugin } from '../plugin.ts';
import { endpointOf, remotePins } from '../remote.ts';
import { ofProject } from '../shared.ts';
import type { AgentStatus, Here } from './agent-status.ts';
import { hooksOf, type Mend } from './hooks.ts';
import { mendFor } from './mend.ts';
import { pluginStatus } from './plugin.ts';
import { presentAt, serverIn } from './present.ts';
import { type Registered, readRegistered } from './registered.ts';

/** Looks at the settings of an agent; nothing is changed. @returns also its server, for what else is to be compared */
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
    // What names a memory belongs to the request of whoever ran setup.
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

/** What a person should know of a skill that is there, and is another than setup enters. */
function skillNotes({ name }: Agent, skill: Entry, written: Entry | undefined): string[] {
  const present = presentAt(skill);
  if (present === undefined || present === skill.value) return [];
  if (!written) return [`its skill is there, and is another than setup enters: ${skill.file}`];
  return present === written.value
    ? [`its skill is of another version; "precedent setup ${name}" renews it`]
    : [`its skill was changed since setup: ${skill.file}`];
}

function meantBy({ options, remote }: Registered): Pick<Launch, 'pins' | 'remote'> {
  if (remote) return { pins: remotePins(remote), remote };
  const pins = (['db', 'workspace'] as const).flatMap((name) => {
    const value = options[name];
    return value === undefined ? [] : [`--${name}`, value];
  });
  return { pins };
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
      ? [`it does not get ${lost.join(', ')}, so it may have another memory: name that in its env_vars`]
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
