import { join } from 'node:path';
import { type Agent, hookArgs, type Launch, type Machine, serverArgs } from '../agent.ts';
import type { Entry } from '../entry.ts';
import { type Events, HOOK_TIMEOUT } from '../hook.ts';
import { bearer, endpointOf, TOKEN } from '../remote.ts';

const HOOKS: Events = { SessionStart: 'startup|clear|compact', UserPromptSubmit: undefined };

const folder = ({ home, environment }: Machine) => environment.CLAUDE_CONFIG_DIR || join(home, '.claude');

const server = (file: string, launch: Launch): Entry => ({
  part: 'server',
  file,
  format: 'json',
  path: ['mcpServers', 'precedent'],
  value: launch.remote
    ? { type: 'http', url: endpointOf(launch.remote), headers: bearer(`\${${TOKEN}}`) }
    : { type: 'stdio', command: launch.node, args: serverArgs(launch), env: {} },
});

const permissions = (file: string, tools: readonly string[]): Entry[] =>
  tools.map((tool) => ({
    part: 'permissions',
    file,
    format: 'json',
    path: ['permissions', 'allow'],
    value: `mcp__precedent__${tool}`,
    isItem: true,
    unless: {
      path: ['permissions', 'deny'],
      holds: [`mcp__precedent__${tool}`, 'mcp__precedent', 'mcp__precedent__*'],
    },
  }));

export const claude: Agent = {
  name: 'claude',
  title: 'Claude Code',
  programs: ['claude'],
  folder,
  entries(machine, { launch, tools, skill, hooks }) {
    const { home, environment } = machine;
    const settings = join(folder(machine), 'settings.json');
    // With `args` no shell reads the command.
    const command = {
      type: 'command',
      command: launch.node,
      args: hookArgs(launch, 'claude'),
      timeout: HOOK_TIMEOUT,
    };
    const events = Object.entries(hooks ? HOOKS : {}).map(
      ([event, matcher]): Entry => ({
        part: 'hooks',
        file: settings,
        format: 'json',
        path: ['hooks', event],
        value: { ...(matcher !== undefined && { matcher }), hooks: [command] },
        isItem: true,
      }),
    );
    const file = join(folder(machine), 'skills', 'precedent', 'SKILL.md');
    return [
      server(join(environment.CLAUDE_CONFIG_DIR || home, '.claude.json'), launch),
      ...permissions(settings, tools),
      ...events,
      { part: 'skill', file, format: 'text', path: [], value: skill },
    ];
  },
  shared: (project, launch, tools) => [
    server(join(project, '.mcp.json'), launch),
    ...permissions(join(project, '.claude', 'settings.json'), tools),
  ],
};
