import { join } from 'node:path';
import { type Agent, hookArgs, type Launch, type Machine, serverArgs } from '../agent.ts';
import type { Entry } from '../entry.ts';
import { type Events, HOOK_TIMEOUT } from '../hook.ts';
import { forPowerShell, forSh } from '../shell.ts';

/** Gemini CLI has no event after a compaction; PreCompress comes before every request. */
const HOOKS: Events = { SessionStart: undefined, BeforeAgent: undefined };

const folder = ({ home, environment }: Machine) => join(environment.GEMINI_CLI_HOME || home, '.gemini');

const server = (file: string, launch: Launch): Entry => ({
  part: 'server',
  file,
  format: 'json',
  path: ['mcpServers', 'precedent'],
  // Without trust the tools are missing where nobody can be asked.
  value: { command: launch.node, args: serverArgs(launch), trust: true },
});

export const gemini: Agent = {
  name: 'gemini',
  title: 'Gemini CLI',
  programs: ['gemini'],
  folder,
  entries(machine, { launch, skill, hooks }) {
    const settings = join(folder(machine), 'settings.json');
    // An exit code of 2 or more, also that of a missing program, stops the user's turn; PowerShell's is then 1.
    const words = [launch.node, ...hookArgs(launch, 'gemini')];
    const command = machine.platform === 'win32' ? forPowerShell(words) : `${forSh(words)} || exit 0`;
    const timeout = HOOK_TIMEOUT * 1000;
    const events = Object.keys(hooks ? HOOKS : {}).map(
      (event): Entry => ({
        part: 'hooks',
        file: settings,
        format: 'json',
        path: ['hooks', event],
        value: { hooks: [{ name: 'precedent', type: 'command', command, timeout }] },
        isItem: true,
      }),
    );
    const file = join(folder(machine), 'skills', 'precedent', 'SKILL.md');
    return [
      server(settings, launch),
      ...events,
      { part: 'skill', file, format: 'text', path: [], value: skill },
    ];
  },
  shared: (project, launch) => [server(join(project, '.gemini', 'settings.json'), launch)],
};
