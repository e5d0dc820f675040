import { join } from 'node:path';
import { type Agent, hookArgs, type Machine, serverArgs } from '../agent.ts';
import type { Entry } from '../entry.ts';
import { type Events, HOOK_TIMEOUT } from '../hook.ts';
import { forCmd, forSh } from '../shell.ts';

/** Gemini CLI has no event after a compaction; PreCompress comes before every request. */
const HOOKS: Events = { SessionStart: undefined, BeforeAgent: undefined };

const folder = ({ home, environment }: Machine) => join(environment.GEMINI_CLI_HOME || home, '.gemini');

export const gemini: Agent = {
  name: 'gemini',
  title: 'Gemini CLI',
  programs: ['gemini'],
  folder,
  entries(machine, { launch, skill, hooks }) {
    const settings = { file: join(folder(machine), 'settings.json'), format: 'json' } as const;
    const server: Entry = {
      ...settings,
      part: 'server',
      path: ['mcpServers', 'precedent'],
      // Without trust the tools are missing where nobody can be asked.
      value: { command: launch.node, args: serverArgs(launch), trust: true },
    };
    // An exit code of 2 or more, also that of a missing program, stops the user's turn.
    const words = hookArgs(launch, 'gemini');
    const command =
      machine.platform === 'win32'
        ? forCmd(['node', ...words])
        : `${forSh([launch.node, ...words])} || exit 0`;
    const timeout = HOOK_TIMEOUT * 1000;
    const events = Object.keys(hooks ? HOOKS : {}).map(
      (event): Entry => ({
        ...settings,
        part: 'hooks',
        path: ['hooks', event],
        value: { hooks: [{ name: 'precedent', type: 'command', command, timeout }] },
        isItem: true,
      }),
    );
    const file = join(folder(machine), 'skills', 'precedent', 'SKILL.md');
    return [server, ...events, { part: 'skill', file, format: 'text', path: [], value: skill }];
  },
};
