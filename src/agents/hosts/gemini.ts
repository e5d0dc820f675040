import { join } from 'node:path';
import {
  type Agent,
  HOOK_TIMEOUT,
  hooksAt,
  hookWords,
  type Launch,
  ownFile,
  serverArgs,
  serverAt,
  skillIn,
} from '../agent.ts';
import type { Value } from '../edit/value.ts';
import type { Entry } from '../entry.ts';
import { bearer, endpointOf, TOKEN } from '../remote.ts';
import { forPowerShell, forSh } from '../shell.ts';
import { claudeHook } from './claude.ts';

/** Gemini CLI has no event after a compaction; PreCompress comes before every request. */
const EVENTS = { SessionStart: 'start', BeforeAgent: 'prompt', AfterTool: 'file' } as const;
/** The tools that read or change files or run a command, and the one that saves a decision. */
const MATCHERS = { AfterTool: 'read_file|replace|write_file|run_shell_command|mcp_precedent_mama_save' };

const folder: Agent['folder'] = ({ home, environment }) =>
  join(environment.GEMINI_CLI_HOME || home, '.gemini');

const server = (file: string, launch: Launch, more: Record<string, Value> = {}): Entry =>
  serverAt(file, 'mcpServers', {
    ...(launch.remote
      ? { httpUrl: endpointOf(launch.remote), headers: bearer(`$${TOKEN}`) }
      : { command: launch.node, args: serverArgs(launch) }),
    ...more,
  });

/**
 * A policy of the account, which Gemini CLI reads from each file in that folder: the tools that destroy nothing need no
 * asking, and are there where nobody can be asked. `trust` in the server would let the others run unasked, too. Its
 * priority is low: a rule that a person writes counts. The server's annotations say which tools they are: of a list, Gemini CLI
 * warns at every start of each tool that a server does not offer.
 */
const permissions = (file: string): Entry =>
  ownFile(
    'permissions',
    file,
    `# Written by "precedent setup", which renews it; "precedent unsetup" removes it.
# Precedent's tools that destroy nothing run without asking. Gemini CLI asks before the others, and while planning.
[[rule]]
mcpName = "precedent"
toolName = "*"
toolAnnotations = { destructiveHint = false }
decision = "allow"
priority = 10
modes = ["default", "autoEdit", "yolo"]
`,
  );

export const gemini: Agent = {
  name: 'gemini',
  title: 'Gemini CLI',
  programs: ['gemini'],
  folder,
  instructions: { home: ['.gemini/GEMINI.md'], project: ['**/GEMINI.md'] },
  shell: { sets: ['GEMINI_CLI'], programs: ['gemini'] },
  hook: { events: EVENTS, clients: ['gemini-cli'], answer: claudeHook.answer },
  entries(machine, { launch, skill, hooks }) {
    const settings = join(folder(machine), 'settings.json');
    // An exit code of 2 or more, also that of a missing program, stops the user's turn; PowerShell's is then 1.
    const words = hookWords(launch, 'gemini');
    const command = machine.platform === 'win32' ? forPowerShell(words) : `${forSh(words)} || exit 0`;
    const timeout = HOOK_TIMEOUT * 1000;
    // Where its user has variables taken out of what it starts, those that sound like a secret are: this one is asked for.
    const env = launch.remote && { [TOKEN]: `$${TOKEN}` };
    const hook = { name: 'precedent', type: 'command', command, timeout, ...(env && { env }) };
    return [
      server(settings, launch),
      permissions(join(folder(machine), 'policies', 'precedent.toml')),
      ...(hooks ? hooksAt(settings, EVENTS, hook, MATCHERS) : []),
      skillIn(folder(machine), skill),
    ];
  },
  // Gemini CLI reads no policy of a project: what the server may do unasked is all that it has there.
  shared: (project, launch, tools) => [
    server(join(project, '.gemini', 'settings.json'), launch, { trust: true, includeTools: [...tools] }),
  ],
};
