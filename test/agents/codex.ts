import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Agent } from './agent.ts';
import { withCodexServer } from './codex-server.ts';
import type { Body } from './protocols/protocol.ts';

const CODE_MODE = /^gpt-6/;

const shell: Agent['shell'] = (cmd, model) =>
  CODE_MODE.test(model)
    ? {
        tool: 'exec',
        input: { code: `text(JSON.stringify(await tools.exec_command(${JSON.stringify({ cmd })})))` },
      }
    : { tool: 'exec_command', input: { cmd } };

export const codex: Agent = {
  name: 'codex',
  package: '@openai/codex',
  version: '0.171.0',
  // Names that it knows: of others it shows every tool at once.
  models: ['gpt-5.5', 'gpt-6-sol'],
  settings: (url) => ({
    '.codex/config.toml': `# mine
model_provider = "fake"
approval_policy = "never"
sandbox_mode = "danger-full-access"

[model_providers.fake]
name = "fake"
base_url = "${url}/v1"
wire_api = "responses"
env_key = "FAKE_KEY"
`,
  }),
  environment: () => ({ FAKE_KEY: 'x' }),
  prompt: (text, model) => ['exec', '--skip-git-repo-check', '-m', model, text],
  call: (tool, input, model) =>
    CODE_MODE.test(model)
      ? {
          tool: 'exec',
          input: {
            code: `text(JSON.stringify(await tools.mcp__precedent__${tool}(${JSON.stringify(input)})))`,
          },
        }
      : { tool: `mcp__precedent.${tool}`, input },
  edit(file, model) {
    const text = `*** Begin Patch\n*** Update File: ${file}\n@@\n-one\n+two\n*** End Patch\n`;
    return [
      shell(`cat ${file}`, model),
      CODE_MODE.test(model)
        ? { tool: 'exec', input: { code: `text(await tools.apply_patch(${JSON.stringify(text)}))` } }
        : { tool: 'apply_patch', input: { code: text } },
    ];
  },
  shell,
  roles: { start: 'developer', prompt: 'developer' },
  subagent: {
    model: 'gpt-6-sol',
    start: (message) => ({
      tool: 'collaboration.spawn_agent',
      input: { task_name: 'look', message, fork_turns: 'none' },
    }),
    isAside: true,
  },
  rewrites: ['.codex/config.toml'],
  // As it writes them itself after a yes to /hooks.
  trust: (rig) =>
    withCodexServer(rig, async ({ ask }) => {
      const { data } = await ask('hooks/list', { cwds: [join(rig.home, '.codex')] });
      const hooks: { key: string; currentHash: string }[] = data.flatMap((each: Body) => each.hooks);
      const value = Object.fromEntries(
        hooks.map(({ key, currentHash }) => [key, { trusted_hash: currentHash }]),
      );
      await ask('config/batchWrite', {
        edits: [{ keyPath: 'hooks.state', value, mergeStrategy: 'upsert' }],
      });
    }),
  compact: async (rig, first, second) => {
    const config = join(rig.home, '.codex', 'config.toml');
    const before = readFileSync(config);
    await withCodexServer(rig, async ({ ask, told }) => {
      const { thread } = await ask('thread/start', { model: 'gpt-5.5', cwd: rig.project });
      const turn = async (method: string, params: object) => {
        const ended = told('turn/completed');
        await ask(method, { threadId: thread.id, ...params });
        await ended;
      };
      const say = (text: string) =>
        turn('turn/start', { input: [{ type: 'text', text, text_elements: [] }] });
      await say(first);
      await turn('thread/compact/start', {});
      await say(second);
    });
    // Its server notes there that it trusts the folder.
    writeFileSync(config, before);
  },
};
