import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pkg from '../package.json' with { type: 'json' };
import { HOOK_TIMEOUT, PLUGIN, serverArgs } from '../src/agents/agent.ts';
import { ASKS_BEFORE } from '../src/agents/hosts/claude.ts';
import { ENV_PASSTHROUGH } from '../src/agents/hosts/codex.ts';
import { ANYWHERE } from '../src/domain/release.ts';

const FOLDER = 'plugin';
const SKILL = join('skills', 'precedent', 'SKILL.md');
const owner = { name: 'Precedent' };

/** The files of the plugin that follow from the package (M-16): Claude Code and Codex install the same folder. */
export function pluginFiles(): [path: string, text: string][] {
  const about = { name: 'precedent', description: pkg.description };
  const command = {
    type: 'command',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the agent puts the folder in.
    command: 'node "${CLAUDE_PLUGIN_ROOT}/hooks/hook.cjs"',
    timeout: HOOK_TIMEOUT,
  };
  const files = {
    [join('.claude-plugin', 'marketplace.json')]: {
      name: PLUGIN.split('@')[1],
      description: pkg.description,
      owner,
      plugins: [{ ...about, source: `./${FOLDER}` }],
    },
    [join(FOLDER, '.claude-plugin', 'plugin.json')]: {
      ...about,
      version: pkg.version,
      author: owner,
      license: pkg.license,
      keywords: pkg.keywords,
    },
    [join(FOLDER, '.mcp.json')]: {
      // Codex passes on no other variables; Claude Code passes all.
      mcpServers: {
        precedent: {
          command: ANYWHERE.node,
          args: serverArgs({ ...ANYWHERE, pins: [] }),
          env_vars: ENV_PASSTHROUGH,
        },
      },
    },
    [join(FOLDER, 'hooks', 'hooks.json')]: {
      hooks: {
        SessionStart: [{ matcher: 'startup|resume|clear|compact', hooks: [command] }],
        UserPromptSubmit: [{ hooks: [command] }],
        SubagentStart: [{ hooks: [command] }],
        [ASKS_BEFORE.event]: [{ matcher: ASKS_BEFORE.matcher, hooks: [command] }],
      },
    },
  };
  return [
    ...Object.entries(files).map(([path, value]): [string, string] => [
      path,
      `${JSON.stringify(value, null, 2)}\n`,
    ]),
    [join(FOLDER, SKILL), readFileSync(SKILL, 'utf8')],
  ];
}
