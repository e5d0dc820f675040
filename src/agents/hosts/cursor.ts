import { join } from 'node:path';
import { invalid } from '../../domain/error.ts';
import {
  type Agent,
  HOOK_TIMEOUT,
  hookAt,
  hookWords,
  type Launch,
  serverArgs,
  serverAt,
  withMessage,
} from '../agent.ts';
import type { Entry } from '../entry.ts';
import { bearer, endpointOf, TOKEN } from '../remote.ts';
import { ofProject } from '../shared.ts';
import { forPowerShell, forSh } from '../shell.ts';

const server = (project: string, launch: Launch): Entry =>
  serverAt(
    join(project, '.cursor', 'mcp.json'),
    'mcpServers',
    launch.remote
      ? { url: endpointOf(launch.remote), headers: bearer(`\${env:${TOKEN}}`) }
      : { command: launch.node, args: serverArgs(launch) },
  );

export const cursor: Agent = {
  name: 'cursor',
  title: 'Cursor',
  programs: ['cursor', 'cursor-agent'],
  folder: ({ home }) => join(home, '.cursor'),
  instructions: { home: [], project: ['**/.cursor/rules/**/*.mdc', '.cursorrules'] },
  // A server of the account starts in the home folder, and would answer from another memory than the project's.
  isPerProject: true,
  // A terminal of the editor is a person's.
  shell: { sets: ['CURSOR_AGENT'], programs: ['cursor-agent'] },
  // It also runs hooks that were made for Claude Code. Only at the start of a session it is documented to take a context.
  hook: {
    events: { sessionStart: 'start', beforeSubmitPrompt: 'prompt' },
    clients: ['cursor'],
    isRunning: ({ CURSOR_VERSION }) => Boolean(CURSOR_VERSION),
    answer: ({ kind }, ...said) =>
      kind === 'start' ? { additional_context: withMessage(...said) } : undefined,
  },
  entries({ project, platform }, { launch, hooks }) {
    if (project === undefined)
      throw invalid.wrong_folder('Cursor is set up in each project. Run this in the folder of one.');
    const words = hookWords(launch, 'cursor');
    const command = platform === 'win32' ? forPowerShell(words) : `${forSh(words)} || exit 0`;
    const file = join(project, '.cursor', 'hooks.json');
    const version: Entry = {
      part: 'hooks',
      file,
      format: 'json',
      path: ['version'],
      value: 1,
      isFileHeader: true,
    };
    return ofProject(project, [
      server(project, launch),
      ...(hooks ? [version, hookAt(file, 'sessionStart', { command, timeout: HOOK_TIMEOUT })] : []),
    ]);
  },
  shared: (project, launch) => [server(project, launch)],
  afterSetup: 'These files name paths of this machine: keep them out of version control.',
};
