import { join } from 'node:path';
import type { Agent, Machine, SetupRequest } from './agent.ts';
import { valueAt } from './edit/value.ts';
import { type Entry, FORMATS } from './entry.ts';
import { settingsIn } from './files.ts';

/** The names of its server's tools in permissions, and of those of a server that setup enters. */
const OF_PLUGIN = 'mcp__plugin_precedent_precedent';
const OF_SERVER = 'mcp__precedent';

/** The variables that name a memory to a server without options. */
const VARIABLES: Record<string, string> = { '--db': 'PRECEDENT_DB', '--workspace': 'PRECEDENT_WORKSPACE' };

/** Whether an agent has the plugin in every project. A file that cannot be read says so to whoever changes it. */
export function hasPlugin(agent: Agent, machine: Machine): boolean {
  const { plugin } = agent;
  if (!plugin) return false;
  try {
    const text = settingsIn(join(agent.folder(machine), plugin.file)) ?? '';
    return valueAt(FORMATS[plugin.format].read(text), plugin.path) === true;
  } catch {
    return false;
  }
}

/**
 * The entries of setup for an agent. The plugin brings server, hooks and skill: an agent with it gets only the rest, for
 * the plugin's server.
 */
export function entriesFor(agent: Agent, machine: Machine, request: SetupRequest): Entry[] {
  const entries = agent.entries(machine, request);
  if (!hasPlugin(agent, machine)) return entries;
  return entries.filter(({ part }) => part === 'permissions').map(ofPlugin);
}

/**
 * Notes for a person who names a memory for an agent with the plugin: its server is started without options.
 * @param pins as in {@link Launch}
 */
export function notPinned(agent: Agent, machine: Machine, pins: readonly string[]): string[] {
  if (!agent.plugin || pins.length === 0 || !hasPlugin(agent, machine)) return [];
  const besides = `run "${agent.plugin.remove}" and this again`;
  if (pins.includes('--url'))
    return [`${pins.join(' ')} is entered nowhere: the plugin starts a server of this machine; ${besides}`];
  const variables = pins.flatMap((option, at) =>
    VARIABLES[option] === undefined ? [] : [`${VARIABLES[option]}=${pins[at + 1]}`],
  );
  return [
    `${pins.join(' ')} is entered nowhere: the plugin starts the server, without options. Set ${variables.join(' and ')} where ${agent.title} is started, or ${besides}`,
  ];
}

function ofPlugin(entry: Entry): Entry {
  const renamed = (name: unknown) => String(name).replace(OF_SERVER, OF_PLUGIN);
  const { value, unless } = entry;
  return {
    ...entry,
    value: renamed(value),
    ...(unless && { unless: { ...unless, holds: unless.holds.map(renamed) } }),
  };
}
