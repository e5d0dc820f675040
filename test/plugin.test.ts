import assert from 'node:assert/strict';
import { cpSync, existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import pkg from '../package.json' with { type: 'json' };
import { committed } from '../scripts/manifests.ts';
import { toml } from '../src/agents/edit/toml.ts';
import { agentsHome } from './support/agents-home.ts';

const POSIX = { skip: process.platform === 'win32' && 'needs the homes of POSIX' };
const flat = (text: string) => text.replace(/\s+/g, ' ');
const CLAUDE = '.claude/settings.json';
const CODEX = '.codex/config.toml';
/** As Claude Code 2.1 and Codex 0.169 keep it. */
const IN_CLAUDE = '{"enabledPlugins":{"precedent@precedent":true}}';
const IN_CODEX = '[plugins."precedent@precedent"]\nenabled = true\n';

describe('the plugin', () => {
  it('[M-16] is what follows from the package: its version, its skill, its settings', () => {
    for (const [path, text] of committed())
      assert.equal(readFileSync(path, 'utf8'), text, `${path} is stale: run "npm run reference"`);
    const files = globSync(['plugin/**/*', 'plugin/**/.*', 'plugin/.claude-plugin/*'], {
      withFileTypes: true,
    });
    const made = new Set(committed().map(([path]) => path));
    const byHand = files
      .filter((file) => file.isFile())
      .map(({ parentPath, name }) => join(parentPath, name).replace(`${process.cwd()}/`, ''))
      .filter((path) => !made.has(path));
    assert.deepEqual([...new Set(byHand)].sort(), [
      'plugin/README.md',
      'plugin/hooks/hook.cjs',
      'plugin/server.cjs',
    ]);
    const { version } = JSON.parse(readFileSync('plugin/.claude-plugin/plugin.json', 'utf8'));
    assert.equal(version, pkg.version);
  });

  it(
    '[A-2] its hook answers with the copy that setup made, and says nothing without one',
    POSIX,
    async (test) => {
      const { bench, env, data, project, json: answer, home } = agentsHome(test, [], 'here');
      const installed = join(home, '.codex', 'plugins', 'precedent', 'hooks');
      cpSync('plugin/hooks', installed, { recursive: true });
      const stdin = JSON.stringify({
        hook_event_name: 'SessionStart',
        session_id: 'a',
        source: 'startup',
        cwd: project,
      });
      const hook = (program: string, more = {}) =>
        bench.run([], { program, env: { ...env, ...more }, cwd: project, stdin });
      const program = join(installed, 'hook.cjs');
      assert.deepEqual(await hook(program), { code: 0, stdout: '', stderr: '' });
      assert.equal(existsSync(data), false);
      await answer(['tool', 'mama_save', '시간:축', '시각은 UTC', '--scope', 'global', '--strength', 'axis']);
      assert.equal((await hook(program)).stdout, '');
      await answer(['setup', 'gemini']);
      const { stdout } = await hook(program);
      assert.match(JSON.parse(stdout).hookSpecificOutput.additionalContext, /시각은 UTC/);
      assert.equal((await answer(['doctor'])).last_shown.agent, 'codex');
      // In a folder that the environment names, as the program finds it.
      const elsewhere = { XDG_DATA_HOME: join(home, 'data') };
      assert.equal((await hook(program, elsewhere)).stdout, '');
      await answer(['setup', 'gemini'], { env: elsewhere });
      await answer(['tool', 'mama_save', 'a:b', 'c'], { env: elsewhere });
      assert.match((await hook(program, elsewhere)).stdout, /mama_save/);
    },
  );
});

describe('an agent that has the plugin', POSIX, () => {
  it('[A-1] is entered only what the plugin cannot bring, and nothing twice', async (test) => {
    const { json: answer, run, put, read, entered, snapshot } = agentsHome(test, [], 'here');
    put(CLAUDE, IN_CLAUDE);
    put(CODEX, IN_CODEX);
    const before = snapshot();
    const { stdout } = await run(['setup', 'claude', 'codex', 'gemini']);
    assert.match(
      flat(stdout),
      /Claude Code has the plugin, which brings server, hooks and skill\. Codex has the/,
    );
    assert.doesNotMatch(stdout, /Gemini CLI has/);
    const { allow } = JSON.parse(read(CLAUDE)).permissions;
    assert(allow.includes('mcp__plugin_precedent_precedent__recall'));
    assert(allow.every((name: string) => name.startsWith('mcp__plugin_precedent_precedent__')));
    assert.equal(read(CODEX), IN_CODEX);
    for (const file of ['.claude.json', '.claude/skills', '.codex/hooks.json', '.codex/skills'])
      assert.throws(() => read(file), file);
    assert(existsSync(entered));
    await answer(['unsetup']);
    assert.deepEqual(snapshot(), before);
    assert.equal(existsSync(entered), false);
  });

  it('[A-1] is not given the memory that setup names, and that is said with what to do', async (test) => {
    const { json: answer, run, put, project } = agentsHome(test, [], 'here');
    put(CLAUDE, IN_CLAUDE);
    put(CODEX, IN_CODEX);
    const { stdout } = await run(['--workspace', 'team', 'setup', 'claude', 'gemini']);
    assert.match(
      flat(stdout),
      /✔ Claude Code .*! --workspace team is entered nowhere: .* Set PRECEDENT_WORKSPACE=team where Claude Code is started, or run "claude plugin uninstall precedent@precedent" and this again ✔ Gemini/,
    );
    const db = join(project, '왜.db');
    const { agents } = await answer(['--db', db, 'setup', 'codex', 'gemini']);
    assert.match(agents[0].notes[0], new RegExp(`Set PRECEDENT_DB=${db} .*"codex plugin remove precedent@p`));
    assert.doesNotMatch(JSON.stringify(agents[1].notes), /nowhere/);
    assert.doesNotMatch((await run(['setup', 'claude', 'codex'])).stdout, /nowhere/);
  });

  it('[A-1] loses what setup entered before, and has it again without the plugin', async (test) => {
    const { json: answer, put, read } = agentsHome(test, [], 'here');
    await answer(['setup', 'claude']);
    const first = [read(CLAUDE), read('.claude.json')];
    put(CLAUDE, JSON.stringify({ ...JSON.parse(read(CLAUDE)), ...JSON.parse(IN_CLAUDE) }, null, 2));
    await answer(['setup', 'claude']);
    assert.throws(() => read('.claude.json'));
    assert.doesNotMatch(read(CLAUDE), /mcp__precedent__|"hook"/);
    // Turned off, it does nothing.
    put(CLAUDE, read(CLAUDE).replace('true', 'false'));
    await answer(['setup', 'claude']);
    assert.equal(read('.claude.json'), first[1]);
    assert.deepEqual(JSON.parse(read(CLAUDE)).permissions, JSON.parse(first[0] ?? '').permissions);
  });

  it('[A-1] doctor shows it, and says when the server is there twice or its hooks say nothing', async (test) => {
    const { json: answer, run, put, read } = agentsHome(test, ['claude', 'codex'], 'here');
    put(CLAUDE, IN_CLAUDE);
    put(CODEX, IN_CODEX);
    const { agents } = await answer(['doctor']);
    assert.deepEqual(
      agents.map(({ server, hooks, trusted }: Record<string, unknown>) => [server, hooks, trusted]),
      [
        ['plugin', false, undefined],
        ['plugin', false, false],
      ],
    );
    const said = flat((await run(['doctor'])).stdout);
    assert.match(said, /Claude Code\s+connected by its plugin, with skill · no hooks/);
    assert.match(
      said,
      /! Claude Code: the hooks of its plugin say nothing until "precedent setup claude" has run/,
    );
    assert.match(
      said,
      /! Codex: it skips the hooks of its plugin until they are trusted: type \/hooks in Codex/,
    );
    await answer(['setup']);
    const key = 'precedent@precedent:hooks/hooks.json:session_start:0:0';
    put(CODEX, `${read(CODEX)}\n[hooks.state."${key}"]\ntrusted_hash = "sha256:1/sha256:2"\n`);
    assert(toml.read(read(CODEX)));
    const later = flat((await run(['doctor'])).stdout);
    assert.match(later, /Claude Code\s+connected by its plugin, with hooks and skill/);
    assert.doesNotMatch(later, /!/);
    put('.claude.json', '{"mcpServers":{"why":{"command":"npx","args":["-y","precedent-memory","mcp"]}}}');
    assert.match(
      flat((await run(['doctor'])).stdout),
      /it has the server twice, from its plugin and in \S+claude\.json: remove the second one/,
    );
  });
});
