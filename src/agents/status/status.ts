import { compareVersions } from 'compare-versions';
import { type Agent, wordsOf } from '../agent.ts';
import { Unreadable } from '../edit/format.ts';
import type { Entry } from '../entry.ts';
import type { Manifest } from '../manifest.ts';
import { hasPlugin } from '../plugin.ts';
import type { AgentStatus, Here } from './agent-status.ts';
import { hooksOf } from './hooks.ts';
import { pluginStatus } from './plugin.ts';
import { presentAt, serverIn } from './present.ts';
import { type Registered, readRegistered } from './registered.ts';

/** Looks at the settings of an agent; nothing is changed. @returns also its server, for what else is to be compared */
export function statusOf(agent: Agent, here: Here): { status: AgentStatus; registered?: Registered } {
  const { machine, wish, manifest, dataFolder } = here;
  const status: AgentStatus = { agent: agent.name, title: agent.title, server: 'missing', notes: [] };
  if (agent.isPerProject && machine.project === undefined) return { status };
  try {
    if (agent.bare && hasPlugin(agent, machine)) return pluginStatus(agent.bare, status, here);
    const entries = agent.entries(machine, wish);
    const skill = entries.find(({ part }) => part === 'skill');
    if (skill) {
      status.skill = presentAt(skill) !== undefined;
      status.notes.push(...skillNotes(agent, skill, writtenAs(manifest, skill)));
    }
    const server = entries.find(({ part }) => part === 'server');
    const present = server && serverIn(server);
    const registered = present && readRegistered(agent, present, machine, dataFolder);
    // What names a memory belongs to the wish of whoever ran setup.
    const pins = registered ? pinsOf(registered) : wish.launch.pins;
    const meant = agent.entries(machine, { ...wish, hooks: true, launch: { ...wish.launch, pins } });
    const { hooks, trusted, notes } = hooksOf(agent, meant);
    Object.assign(status, hooks !== undefined && { hooks }, trusted !== undefined && { trusted });
    status.notes.push(...notes);
    const wanted = meant.find(({ part }) => part === 'server');
    if (!wanted || !present || !registered) return { status };
    const written = writtenAs(manifest, wanted);
    const { version } = registered;
    return {
      status: {
        ...status,
        server: written ? 'setup' : 'by hand',
        ...(version !== undefined && { version }),
        notes: [
          ...serverNotes(agent, wanted, present, registered, written),
          ...versionNotes(agent, here, version),
          ...status.notes,
        ],
      },
      registered,
    };
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return { status: { ...status, server: 'unreadable', notes: [error.message, ...status.notes] } };
  }
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

const pinsOf = ({ options }: Registered): string[] =>
  (['db', 'workspace'] as const).flatMap((name) => {
    const value = options[name];
    return value === undefined ? [] : [`--${name}`, value];
  });

function serverNotes(
  agent: Agent,
  wanted: Entry,
  present: Record<string, unknown>,
  { gone, lost }: Registered,
  written: Entry | undefined,
): string[] {
  const notes: string[] = [];
  const said = wordsOf(present).join(' ');
  const saidBy = ({ value }: Entry) => wordsOf(value as Record<string, unknown>).join(' ');
  if (gone !== undefined) notes.push(`it starts ${gone}, which is not there`);
  else if (written && said !== saidBy(wanted)) notes.push(`it starts ${said}`);
  if (notes.length > 0 && written) {
    if (said !== saidBy(written))
      notes.push('it was changed since setup, which leaves it: take it out first');
    notes.push(`"precedent setup ${agent.name}" enters this installation`);
  }
  if (lost.length > 0) notes.push(`it does not get ${lost.join(', ')}, so it may have another memory`);
  return notes;
}

function versionNotes({ name }: Agent, here: Here, version: string | undefined): string[] {
  if (version === undefined || version === here.version) return [];
  return compareVersions(version, here.version) > 0
    ? [`it starts version ${version}, and this is ${here.version}: update this one`]
    : [
        `it starts version ${version}, and this is ${here.version}: "precedent setup ${name}" enters this one`,
      ];
}
