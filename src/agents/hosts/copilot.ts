import { join } from 'node:path';
import { type Agent, hookArgs, type Launch, type Machine, serverArgs } from '../agent.ts';
import type { Entry } from '../entry.ts';
import { type Events, HOOK_TIMEOUT } from '../hook.ts';
import { bearer, endpointOf, TOKEN } from '../remote.ts';
import { forPowerShell, forSh } from '../shell.ts';

/** Written so, Copilot CLI names the fields of an event as Claude Code does; VS Code reads the same file. */
const HOOKS: Events = { SessionStart: undefined, UserPromptSubmit: undefined };

const folder = ({ home, environment }: Machine) => environment.COPILOT_HOME || join(home, '.copilot');

const server = (file: string, launch: Launch): Entry => ({
  part: 'server',
  file,
  format: 'json',
  path: ['mcpServers', 'precedent'],
  value: launch.remote
    ? { type: 'http', url: endpointOf(launch.remote), headers: bearer(`\${${TOKEN}}`), tools: ['*'] }
    : { type: 'local', command: launch.node, args: serverArgs(launch), tools: ['*'] },
});

export const copilot: Agent = {
  name: 'copilot',
  title: 'GitHub Copilot CLI',
  programs: ['copilot'],
  folder,
  entries(machine, { launch, skill, hooks }) {
    const words = [launch.node, ...hookArgs(launch, 'copilot')];
    const hook = {
      type: 'command',
      bash: forSh(words),
      powershell: forPowerShell(words),
      timeoutSec: HOOK_TIMEOUT,
    };
    const events = Object.fromEntries(Object.keys(HOOKS).map((event) => [event, [hook]]));
    const own: Entry = {
      part: 'hooks',
      file: join(folder(machine), 'hooks', 'precedent.json'),
      format: 'text',
      path: [],
      value: `${JSON.stringify({ version: 1, hooks: events }, null, 2)}\n`,
    };
    const file = join(folder(machine), 'skills', 'precedent', 'SKILL.md');
    return [
      server(join(folder(machine), 'mcp-config.json'), launch),
      ...(hooks ? [own] : []),
      { part: 'skill', file, format: 'text', path: [], value: skill },
    ];
  },
  shared: (project, launch) => [server(join(project, '.github', 'mcp.json'), launch)],
};
