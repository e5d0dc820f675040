import { join } from 'node:path';
import {
  type Agent,
  HOOK_TIMEOUT,
  hooksAt,
  hookWords,
  type Launch,
  PLUGIN,
  serverArgs,
  skillIn,
} from '../agent.ts';
import type { Entry } from '../entry.ts';
import { endpointOf, TOKEN } from '../remote.ts';
import { forPowerShell, forSh } from '../shell.ts';
import { CLAUDE_MATCHERS, claudeHook } from './claude.ts';

/** The only variables that Codex passes to a server. */
export const ENV_PASSTHROUGH = [
  'PRECEDENT_DB',
  'PRECEDENT_WORKSPACE',
  'PRECEDENT_AUTHOR',
  'PRECEDENT_EMBED_URL',
  'PRECEDENT_EMBED_MODEL',
  'PRECEDENT_EMBED_KEY',
  'PRECEDENT_EMBED_DIR',
  'XDG_DATA_HOME',
  'PGUSER',
  'PGPASSWORD',
];

const folder: Agent['folder'] = ({ home, environment }) => environment.CODEX_HOME || join(home, '.codex');

const server = (file: string, launch: Launch): Entry => ({
  part: 'server',
  file,
  format: 'toml',
  path: ['mcp_servers', 'precedent'],
  value: launch.remote
    ? { url: endpointOf(launch.remote), bearer_token_env_var: TOKEN }
    : { command: launch.node, args: serverArgs(launch), env_vars: ENV_PASSTHROUGH },
});

/** A tool that failed is an event of its own nowhere here: its exit code says so (RE-4). */
const { PreToolUse: _, PostToolUseFailure: __, ...EVENTS } = claudeHook.events;
const MATCHERS = { ...CLAUDE_MATCHERS, PostToolUse: 'Bash|apply_patch|mcp__precedent__mama_save' };

export const codex: Agent = {
  name: 'codex',
  title: 'Codex',
  programs: ['codex'],
  folder,
  instructions: { home: ['.codex/AGENTS.md'], project: [] },
  trust: { byHand: 'type /hooks in Codex', path: ['hooks', 'state'] },
  plugin: {
    file: 'config.toml',
    format: 'toml',
    path: ['plugins', PLUGIN, 'enabled'],
    remove: `codex plugin remove ${PLUGIN}`,
  },
  shell: {
    sets: ['CODEX_CI', 'CODEX_SANDBOX', 'CODEX_SANDBOX_NETWORK_DISABLED', 'CODEX_THREAD_ID'],
    programs: ['codex'],
  },
  hook: { ...claudeHook, events: EVENTS, clients: ['codex'] },
  entries(machine, { launch, skill, hooks }) {
    const words = hookWords(launch, 'codex');
    // On Windows it prefers PowerShell, and cannot hand quotes to cmd.exe at all.
    const command = machine.platform === 'win32' ? forPowerShell(words) : forSh(words);
    const hook = { type: 'command', command, timeout: HOOK_TIMEOUT };
    return [
      server(join(folder(machine), 'config.toml'), launch),
      // Codex trusts a hook by its place in the file, so ours are one group for each event, after those of others.
      ...(hooks ? hooksAt(join(folder(machine), 'hooks.json'), EVENTS, hook, MATCHERS) : []),
      skillIn(folder(machine), skill),
    ];
  },
  // Codex reads it where its user trusts the project.
  shared: (project, launch) => [server(join(project, '.codex', 'config.toml'), launch)],
};
