import { join } from 'node:path';
import {
  type Agent,
  HOOK_TIMEOUT,
  hookWords,
  type Launch,
  ownFile,
  serverArgs,
  serverAt,
  skillIn,
} from '../agent.ts';
import type { Entry } from '../entry.ts';
import { bearer, endpointOf, TOKEN } from '../remote.ts';
import { forPowerShell, forSh } from '../shell.ts';
import { claudeHook } from './claude.ts';

/** Without it, each call of any tool would start a hook. */
const MATCHED: Record<string, { matcher: string }> = {
  PreToolUse: { matcher: '^(Agent|Bash|Edit|Write)$' },
  // Of a command that failed only this event has the exit code.
  PostToolUse: { matcher: '^(Bash|Read)$|.*mama_save$' },
  PostToolUseFailure: { matcher: '^(Bash|Edit|Write)$' },
};

const folder: Agent['folder'] = ({ home, environment }) => environment.COPILOT_HOME || join(home, '.copilot');

const server = (file: string, launch: Launch): Entry =>
  serverAt(
    file,
    'mcpServers',
    launch.remote
      ? { type: 'http', url: endpointOf(launch.remote), headers: bearer(`\${${TOKEN}}`), tools: ['*'] }
      : { type: 'local', command: launch.node, args: serverArgs(launch), tools: ['*'] },
  );

export const copilot: Agent = {
  name: 'copilot',
  title: 'GitHub Copilot CLI',
  programs: ['copilot'],
  folder,
  instructions: {
    home: [],
    project: ['.github/copilot-instructions.md', '.github/instructions/**/*.instructions.md'],
  },
  shell: { sets: ['COPILOT_CLI', 'COPILOT_AGENT_SESSION_ID'], programs: ['copilot'] },
  // It takes the context at the top only. It also runs the hooks in a project's settings of Claude Code, and programs that
  // it starts inherit its variable: the answer is also in the form that Claude Code reads.
  hook: {
    events: { ...claudeHook.events, sessionStart: 'start', userPromptSubmitted: 'prompt' },
    clients: ['github-copilot', 'copilot'],
    alsoRunBy: ['vscode'],
    isRunning: ({ COPILOT_CLI }) => Boolean(COPILOT_CLI),
    answer: (event, context, message) => ({
      additionalContext: context,
      ...claudeHook.answer(event, context, message),
    }),
  },
  entries(machine, { launch, skill, hooks }) {
    const words = hookWords(launch, 'copilot');
    const hook = {
      type: 'command',
      bash: forSh(words),
      powershell: forPowerShell(words),
      timeoutSec: HOOK_TIMEOUT,
    };
    // With events that are named so, it names their fields as Claude Code does; VS Code reads the same file.
    const hooked = Object.keys(claudeHook.events).map((event) => [event, [{ ...hook, ...MATCHED[event] }]]);
    const settings = `${JSON.stringify({ version: 1, hooks: Object.fromEntries(hooked) }, null, 2)}\n`;
    return [
      server(join(folder(machine), 'mcp-config.json'), launch),
      ...(hooks ? [ownFile('hooks', join(folder(machine), 'hooks', 'precedent.json'), settings)] : []),
      skillIn(folder(machine), skill),
    ];
  },
  shared: (project, launch) => [server(join(project, '.github', 'mcp.json'), launch)],
};
