import { join } from 'node:path';
import { type Agent, hookArgs, type Launch, type Machine, serverArgs } from '../agent.ts';
import type { Value } from '../edit/value.ts';
import type { Entry } from '../entry.ts';
import { type Events, HOOK_TIMEOUT } from '../hook.ts';
import { bearer, endpointOf, TOKEN } from '../remote.ts';
import { forPowerShell, forSh } from '../shell.ts';

/** Gemini CLI has no event after a compaction; PreCompress comes before every request. */
const HOOKS: Events = { SessionStart: undefined, BeforeAgent: undefined };

const folder = ({ home, environment }: Machine) => join(environment.GEMINI_CLI_HOME || home, '.gemini');

const server = (file: string, launch: Launch, more: Record<string, Value> = {}): Entry => ({
  part: 'server',
  file,
  format: 'json',
  path: ['mcpServers', 'precedent'],
  value: {
    ...(launch.remote
      ? { httpUrl: endpointOf(launch.remote), headers: bearer(`$${TOKEN}`) }
      : { command: launch.node, args: serverArgs(launch) }),
    ...more,
  },
});

/**
 * A policy of the account, which Gemini CLI reads from each file in that folder: the tools that destroy nothing need no
 * asking, and are there where nobody can be asked. `trust` in the server would let the others run unasked, too. Its
 * priority is low: a rule that a person writes counts.
 */
const permissions = (file: string, tools: readonly string[]): Entry => ({
  part: 'permissions',
  file,
  format: 'text',
  path: [],
  value: `# Written by "precedent setup", which writes it anew; "precedent unsetup" takes it away.
# Precedent's tools that destroy nothing need no asking; for the others, and while planning, Gemini CLI asks as it does.
[[rule]]
mcpName = "precedent"
toolName = [
${tools.map((tool) => `  ${JSON.stringify(tool)},\n`).join('')}]
decision = "allow"
priority = 10
modes = ["default", "autoEdit", "yolo"]
`,
});

export const gemini: Agent = {
  name: 'gemini',
  title: 'Gemini CLI',
  programs: ['gemini'],
  folder,
  entries(machine, { launch, tools, skill, hooks }) {
    const settings = join(folder(machine), 'settings.json');
    // An exit code of 2 or more, also that of a missing program, stops the user's turn; PowerShell's is then 1.
    const words = [launch.node, ...hookArgs(launch, 'gemini')];
    const command = machine.platform === 'win32' ? forPowerShell(words) : `${forSh(words)} || exit 0`;
    const timeout = HOOK_TIMEOUT * 1000;
    // Where its user has variables taken out of what it starts, those that sound like a secret are: this one is asked for.
    const env = launch.remote && { [TOKEN]: `$${TOKEN}` };
    const events = Object.keys(hooks ? HOOKS : {}).map(
      (event): Entry => ({
        part: 'hooks',
        file: settings,
        format: 'json',
        path: ['hooks', event],
        value: { hooks: [{ name: 'precedent', type: 'command', command, timeout, ...(env && { env }) }] },
        isItem: true,
      }),
    );
    const file = join(folder(machine), 'skills', 'precedent', 'SKILL.md');
    return [
      server(settings, launch),
      permissions(join(folder(machine), 'policies', 'precedent.toml'), tools),
      ...events,
      { part: 'skill', file, format: 'text', path: [], value: skill },
    ];
  },
  // Gemini CLI reads no policy of a project: what the server may do unasked is all that it has there.
  shared: (project, launch, tools) => [
    server(join(project, '.gemini', 'settings.json'), launch, { trust: true, includeTools: [...tools] }),
  ],
};
