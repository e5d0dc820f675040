import { join } from 'node:path';
import { PrecedentError } from '../../domain/error.ts';
import { type Agent, hookArgs, type Launch, serverArgs } from '../agent.ts';
import type { Entry } from '../entry.ts';
import { type Events, HOOK_TIMEOUT } from '../hook.ts';
import { bearer, endpointOf, TOKEN } from '../remote.ts';
import { ofProject } from '../shared.ts';
import { forPowerShell, forSh } from '../shell.ts';

/** The only event in which a context is documented to be taken. */
const HOOKS: Events = { sessionStart: undefined };

const server = (project: string, launch: Launch): Entry => ({
  part: 'server',
  file: join(project, '.cursor', 'mcp.json'),
  format: 'json',
  path: ['mcpServers', 'precedent'],
  value: launch.remote
    ? { url: endpointOf(launch.remote), headers: bearer(`\${env:${TOKEN}}`) }
    : { command: launch.node, args: serverArgs(launch) },
});

export const cursor: Agent = {
  name: 'cursor',
  title: 'Cursor',
  programs: ['cursor', 'cursor-agent'],
  folder: ({ home }) => join(home, '.cursor'),
  // A server of the account starts in the home folder, and would answer from another memory than the project's.
  isPerProject: true,
  entries({ project, platform }, { launch, hooks }) {
    if (project === undefined)
      throw new PrecedentError('invalid', 'Cursor is set up in each project. Run this in the folder of one.');
    const words = [launch.node, ...hookArgs(launch, 'cursor')];
    const command = platform === 'win32' ? forPowerShell(words) : `${forSh(words)} || exit 0`;
    const settings = { part: 'hooks', file: join(project, '.cursor', 'hooks.json'), format: 'json' } as const;
    const events = Object.keys(HOOKS).map(
      (event): Entry => ({
        ...settings,
        path: ['hooks', event],
        value: { command, timeout: HOOK_TIMEOUT },
        isItem: true,
      }),
    );
    return ofProject(project, [
      server(project, launch),
      ...(hooks ? [{ ...settings, path: ['version'], value: 1, isFrame: true as const }, ...events] : []),
    ]);
  },
  shared: (project, launch) => [server(project, launch)],
  afterwards: 'These files name paths of this machine: keep them out of version control.',
};
