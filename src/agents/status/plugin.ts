import type { Agent } from '../agent.ts';
import { currentVersion } from '../app/current.ts';
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
    registered: {
      options: {},
      environment: machine.environment,
      lost: [],
      version: undefined,
      gone: undefined,
    },
  };
}
