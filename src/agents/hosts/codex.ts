import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import pkg from '../../../package.json' with { type: 'json' };
import { unavailable } from '../../domain/error.ts';
import { sha256 } from '../../domain/text/digest.ts';
import { realOrSame } from '../../files/led-out.ts';
import {
  type Agent,
  HOOK_TIMEOUT,
  hooksAt,
  hookWords,
  type Launch,
  PLUGIN,
  type SeenHook,
  serverArgs,
  skillIn,
  type Trust,
  type Trusted,
} from '../agent.ts';
import { isGroup, valueAt } from '../edit/value.ts';
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
  // Codex keeps a person's approvals here. It does not start with a server that has only these.
  agentWrittenKeys: ['tools'],
});

const { PreToolUse: _, ...EVENTS } = claudeHook.events;
const MATCHERS = { ...CLAUDE_MATCHERS, PostToolUse: 'apply_patch|mcp__precedent__mama_save' };

/**
 * Codex trusts a hook by its place in the file and a hash of its content. Its own server reports both, so neither is guessed
 * here. They are written to its config.toml as Codex does when a person says yes to `/hooks`.
 */
const trust: Trust = {
  byHand: 'type /hooks in Codex',
  server: ['app-server'],
  async ask(converse, hooks) {
    const [file = ''] = hooks.map((hook) => hook.file);
    const listed = await converse(async (ask, notify) => {
      await ask('initialize', {
        clientInfo: { name: 'precedent', title: 'Precedent', version: pkg.version },
      });
      notify('initialized');
      // Asked for the folder of its settings, which has no project's hooks.
      return hooksIn(await ask('hooks/list', { cwds: [dirname(file)] }));
    });
    const commands = hooks.map(commandOf);
    const ours = listed.filter(
      ({ sourcePath, command }) => realOrSame(sourcePath) === realOrSame(file) && commands.includes(command),
    );
    if (ours.length < hooks.length)
      throw unavailable.agent_failed(
        `Expected Codex to see ${hooks.length} hooks of Precedent in ${file}, found ${ours.length}. Type /hooks in Codex.`,
      );
    return ours.map(
      ({ key, currentHash, trustStatus }): SeenHook => ({
        trust: {
          part: 'trust',
          file: join(dirname(file), 'config.toml'),
          format: 'toml',
          path: ['hooks', 'state', key],
          value: { trusted_hash: currentHash },
          describesOtherEntry: true,
        },
        isTrusted: ['trusted', 'managed'].includes(trustStatus),
      }),
    );
  },
  /** Compares place and hash (Codex 0.169). Another hash means another hook, or another way of hashing. */
  read(hooks, present, settings) {
    const each = hooks.map(({ file, path, value }): Trusted => {
      // Its keys name events in snake case.
      const name = String(path.at(-1));
      const event = name.replaceAll(/\B[A-Z]/g, '_$&').toLowerCase();
      const groups = valueAt(present, path);
      const at = Array.isArray(groups) ? groups.findIndex((group) => isDeepStrictEqual(group, value)) : -1;
      if (at < 0) return 'unknown';
      const known = valueAt(settings, ['hooks', 'state', `${file}:${event}:${at}:0`, 'trusted_hash']);
      if (known === undefined) return 'not trusted';
      return known === hashOf(event, value) ? 'trusted' : 'unknown';
    });
    return (['not trusted', 'unknown'] as const).find((worst) => each.includes(worst)) ?? 'trusted';
  },
  /** The hash of a plugin covers all of its files, so a hash that is there may be of an older version. */
  readPlugin(settings) {
    const state = valueAt(settings, ['hooks', 'state']);
    const isKnown = Object.keys(state ?? {}).some((key) => key.startsWith(`${PLUGIN}:`));
    return isKnown ? 'unknown' : 'not trusted';
  },
};

export const codex: Agent = {
  name: 'codex',
  title: 'Codex',
  programs: ['codex'],
  folder,
  instructions: { home: ['.codex/AGENTS.md'], project: [] },
  envPassthrough: ENV_PASSTHROUGH,
  trust,
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

const FIELDS = ['key', 'command', 'sourcePath', 'currentHash', 'trustStatus'] as const;
type Listed = Record<(typeof FIELDS)[number], string>;

/** The hooks that start a command, in an answer to `hooks/list`. */
function hooksIn(answer: unknown): Listed[] {
  const folders = isGroup(answer) && Array.isArray(answer.data) ? answer.data : [];
  return folders
    .flatMap((folder) => (isGroup(folder) && Array.isArray(folder.hooks) ? folder.hooks : []))
    .filter(
      (hook): hook is Listed => isGroup(hook) && FIELDS.every((name) => typeof hook[name] === 'string'),
    );
}

function commandOf({ value }: Entry): string {
  const [hook] = isGroup(value) && Array.isArray(value.hooks) ? value.hooks : [];
  return isGroup(hook) ? String(hook.command) : '';
}

function hashOf(event: string, group: Entry['value']): string {
  const { matcher, hooks } = isGroup(group) ? group : {};
  const [{ type, command, timeout }] = (hooks ?? [{}]) as [Record<string, unknown>];
  // The keys are sorted by name, and there is no white space.
  const said = {
    event_name: event,
    hooks: [{ async: false, command, timeout, type }],
    ...(matcher !== undefined && { matcher }),
  };
  return `sha256:${sha256(JSON.stringify(said))}`;
}
