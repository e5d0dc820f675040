import type { Agent } from '../agent.ts';
import { currentVersion } from '../app/current.ts';
import { valueAt } from '../edit/value.ts';
import { PLUGIN } from '../plugin.ts';
import type { AgentStatus, Here } from './agent-status.ts';
import { presentAt, serverIn } from './present.ts';
import type { Registered } from './registered.ts';

/**
 * What an agent has that has the plugin: server, skill and hooks. The hooks answer with the copy that setup makes.
 * @param status what is known of it already
 * @throws Unreadable
 */
export function pluginStatus(
  agent: Agent,
  status: AgentStatus,
  { machine, wish, manifest, dataFolder }: Here,
): { status: AgentStatus; registered: Registered } {
  const notes: string[] = [];
  const hooks = currentVersion(dataFolder) !== undefined;
  if (!hooks) notes.push(`the hooks of its plugin say nothing until "precedent setup ${agent.name}" has run`);
  const server = agent.entries(machine, wish).find(({ part }) => part === 'server');
  if (server && serverIn(server)) {
    const isOurs = manifest.written.some(
      ({ agent: name, entries }) => name === agent.name && entries.some(({ part }) => part === 'server'),
    );
    const mend = isOurs
      ? `"precedent setup ${agent.name}" takes the second one out`
      : 'take the second one out';
    notes.push(`it has the server twice, from its plugin and in ${server.file}: ${mend}`);
  }
  const trusted = agent.name === 'codex' && server ? trustOf(presentAt({ ...server, path: [] })) : undefined;
  if (trusted === 'not trusted')
    notes.push('it skips the hooks of its plugin until they are trusted: type /hooks in Codex');
  return {
    status: { ...status, server: 'plugin', hooks, ...(trusted && { trusted }), skill: true, notes },
    registered: {
      options: {},
      environment: machine.environment,
      lost: [],
      version: undefined,
      gone: undefined,
    },
  };
}

/** Codex trusts the hooks of a plugin by all its files: what is there may be of an older version of it. */
function trustOf(config: unknown): 'not trusted' | 'unknown' {
  const state = valueAt(config, ['hooks', 'state']);
  const isKnown = Object.keys(state ?? {}).some((key) => key.startsWith(`${PLUGIN}:`));
  return isKnown ? 'unknown' : 'not trusted';
}
