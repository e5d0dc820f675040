import { join } from 'node:path';
import { type Agent, hookArgs, type Machine, serverArgs } from '../agent.ts';
import type { Entry } from '../entry.ts';
import { type Events, HOOK_TIMEOUT } from '../hook.ts';
import { forCmd, forSh } from '../shell.ts';
import { codexTrust } from '../trust/codex.ts';

const HOOKS: Events = { SessionStart: 'startup|clear|compact', UserPromptSubmit: undefined };

/** Codex gives a server no variable that is not named here. */
const PASSED_ON = [
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

export const codex: Agent = {
  name: 'codex',
  title: 'Codex',
  programs: ['codex'],
  folder,
  passedOn: PASSED_ON,
  trust: codexTrust,
  entries(machine, { launch, skill, hooks }) {
    const server: Entry = {
      part: 'server',
      file: join(folder(machine), 'config.toml'),
      format: 'toml',
      path: ['mcp_servers', 'precedent'],
      value: { command: launch.node, args: serverArgs(launch), env_vars: PASSED_ON },
      // What a person approved for good. Codex does not start with a server that has nothing else.
      grown: ['tools'],
    };
    const words = [launch.node, ...hookArgs(launch, 'codex')];
    const command = machine.platform === 'win32' ? forCmd(words) : forSh(words);
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
    return [server, ...events, { part: 'skill', file, format: 'text', path: [], value: skill }];
  },
};
