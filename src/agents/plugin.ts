import { join } from 'node:path';
import type { Agent, Machine } from './agent.ts';
import { valueAt } from './edit/value.ts';
import { type Entry, FORMATS } from './entry.ts';
import { bytesOf } from './files.ts';

/** What the plugin of Precedent is called: its name and that of its marketplace. */
export const PLUGIN = 'precedent@precedent';
/** What the tools of its server are called in permissions, and those of a server that setup enters. */
const OF_PLUGIN = 'mcp__plugin_precedent_precedent';
const OF_SERVER = 'mcp__precedent';

/** Where an agent keeps which plugins it has, in a file of its settings, below these keys; and what takes ours out. */
const KEPT: Record<string, { file: string; format: keyof typeof FORMATS; path: string[]; remove: string }> = {
  claude: {
    file: 'settings.json',
    format: 'json',
    path: ['enabledPlugins', PLUGIN],
    remove: `claude plugin uninstall ${PLUGIN}`,
  },
  codex: {
    file: 'config.toml',
    format: 'toml',
    path: ['plugins', PLUGIN, 'enabled'],
    remove: `codex plugin remove ${PLUGIN}`,
  },
};
/** What names a memory to a server that has no options. */
const VARIABLES: Record<string, string> = { '--db': 'PRECEDENT_DB', '--workspace': 'PRECEDENT_WORKSPACE' };

/** Whether an agent has the plugin in every project. A file that cannot be read says so to whoever changes it. */
export function hasPlugin(agent: Agent, machine: Machine): boolean {
  const kept = KEPT[agent.name];
  if (!kept) return false;
  try {
    const text =
      bytesOf(join(agent.folder(machine), kept.file))
        ?.toString()
        .replace(/^\uFEFF/, '') ?? '';
    return valueAt(FORMATS[kept.format].read(text), kept.path) === true;
  } catch {
    return false;
  }
}

/**
 * An agent to which setup gives nothing that its plugin does already: server, hooks and skill. What a plugin cannot bring
 * is entered for its server.
 */
export function besidePlugin(agent: Agent): Agent {
  if (!Object.hasOwn(KEPT, agent.name)) return agent;
  return {
    ...agent,
    bare: agent,
    entries: (machine, wish) => {
      const entries = agent.entries(machine, wish);
      return hasPlugin(agent, machine)
        ? entries.filter(({ part }) => part === 'permissions').map(ofPlugin)
        : entries;
    },
  };
}

/** The files in which setup has something without the plugin; none for an agent that has none. */
export function filesOfPlugin(agent: Agent, machine: Machine): string[] {
  if (!agent.bare || !hasPlugin(agent, machine)) return [];
  const launch = { node: '', program: '', pins: [] };
  return agent.bare.entries(machine, { launch, tools: [], skill: '', hooks: true }).map(({ file }) => file);
}

/**
 * What a person should know who names a memory for an agent with the plugin: its server is started without options.
 * @param pins as in {@link Launch}
 */
export function notPinned(agent: Agent, machine: Machine, pins: readonly string[]): string[] {
  const kept = KEPT[agent.name];
  if (!kept || !agent.bare || pins.length === 0 || !hasPlugin(agent, machine)) return [];
  const besides = `run "${kept.remove}" and this again`;
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
