import { join } from 'node:path';
import { type Agent, type Launch, type Machine, serverArgs, serverAt } from '../agent.ts';
import type { Entry } from '../entry.ts';
import { bearer, endpointOf, TOKEN } from '../remote.ts';
import { claudeHook } from './claude.ts';

/** The folder of the account's settings. VS Code runs the hooks of Claude Code and Copilot CLI, and has none of its own. */
function folder({ home, environment, platform }: Machine): string {
  const user = join('Code', 'User');
  if (platform === 'win32') return join(environment.APPDATA || join(home, 'AppData', 'Roaming'), user);
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', user);
  return join(environment.XDG_CONFIG_HOME || join(home, '.config'), user);
}

const server = (file: string, launch: Launch): Entry =>
  serverAt(
    file,
    'servers',
    launch.remote
      ? { type: 'http', url: endpointOf(launch.remote), headers: bearer(`\${env:${TOKEN}}`) }
      : {
          type: 'stdio',
          command: launch.node,
          args: serverArgs(launch),
          // It would start in the home folder, whose memory is not the project's.
          // biome-ignore lint/suspicious/noTemplateCurlyInString: VS Code puts the folder in.
          cwd: '${workspaceFolder}',
        },
  );

export const vscode: Agent = {
  name: 'vscode',
  title: 'VS Code',
  programs: ['code'],
  folder,
  // It reads those of Copilot CLI.
  instructions: { home: [], project: [] },
  // It runs the hooks of Claude Code and of Copilot CLI, with names in camel case; a prompt takes no context there.
  hook: {
    events: claudeHook.events,
    clients: ['visual studio code', 'visual-studio-code', 'github-copilot'],
    isRunning: (_, payload) => 'hookEventName' in payload,
    answer: (event, ...said) => (event.kind === 'prompt' ? undefined : claudeHook.answer(event, ...said)),
  },
  entries: (machine, { launch }) => [server(join(folder(machine), 'mcp.json'), launch)],
  shared: (project, launch) => [server(join(project, '.vscode', 'mcp.json'), launch)],
  afterSetup: 'VS Code has no hooks of its own: it runs those of Claude Code and GitHub Copilot CLI.',
};
