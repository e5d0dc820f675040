import { join } from 'node:path';
import { type Agent, hookArgs, type Launch, type Machine, serverArgs } from '../agent.ts';
import type { Entry } from '../entry.ts';
import { type Events, HOOK_TIMEOUT } from '../hook.ts';
import { endpointOf, TOKEN } from '../remote.ts';
import { forPowerShell, forSh } from '../shell.ts';
import { codexTrust } from '../trust/codex.ts';

const HOOKS: Events = { SessionStart: 'startup|clear|compact', UserPromptSubmit: undefined };

/** Codex gives a server no variable that is not named here. */
export const PASSED_ON = [
  'PRECEDENT_DB',
  'PRECEDENT_WORKSPACE',
  'PRECEDENT_AUTHOR',
  'PRECEDENT_EMBED_URL',
  'PRECEDENT_EMBED_MODEL',
  'PRECEDENT_EMBED_KEY',
  'XDG_DATA_HOME',
  'PGUSER',
  'PGPASSWORD',
];

const folder = ({ home, environment }: Machine) => environment.CODEX_HOME || join(home, '.codex');

const server = (file: string, launch: Launch): Entry => ({
  part: 'server',
  file,
  format: 'toml',
  path: ['mcp_servers', 'precedent'],
  value: launch.remote
    ? { url: endpointOf(launch.remote), bearer_token_env_var: TOKEN }
    : { command: launch.node, args: serverArgs(launch), env_vars: PASSED_ON },
  // What a person approved for good. Codex does not start with a server that has nothing else.
  grown: ['tools'],
});

export const codex: Agent = {
  name: 'codex',
  title: 'Codex',
  programs: ['codex'],
  folder,
  passedOn: PASSED_ON,
  trust: codexTrust,
  entries(machine, { launch, skill, hooks }) {
    const words = [launch.node, ...hookArgs(launch, 'codex')];
    // On Windows it prefers PowerShell, and cannot hand quotes to cmd.exe at all.
    const command = machine.platform === 'win32' ? forPowerShell(words) : forSh(words);
    // A hook is trusted by its place in the file: one group an event, behind those of others.
    const events = Object.entries(hooks ? HOOKS : {}).map(
      ([event, matcher]): Entry => ({
        part: 'hooks',
        file: join(folder(machine), 'hooks.json'),
        format: 'json',
        path: ['hooks', event],
        value: {
          ...(matcher !== undefined && { matcher }),
          hooks: [{ type: 'command', command, timeout: HOOK_TIMEOUT }],
        },
        isItem: true,
      }),
    );
    const file = join(folder(machine), 'skills', 'precedent', 'SKILL.md');
    return [
      server(join(folder(machine), 'config.toml'), launch),
      ...events,
      { part: 'skill', file, format: 'text', path: [], value: skill },
    ];
  },
  // Codex reads it where its user trusts the project.
  shared: (project, launch) => [server(join(project, '.codex', 'config.toml'), launch)],
};
