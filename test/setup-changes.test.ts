import assert from 'node:assert/strict';
import { cpSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { AGENTS } from '../src/agents/agents.ts';
import { toml } from '../src/agents/edit/toml.ts';
import { agentsHome } from './support/agents-home.ts';

const GEMINI = '.gemini/settings.json';
const OPENCODE = '.config/opencode/opencode.json';
const CODEX = '.codex/config.toml';
const CLAUDE = '.claude/settings.json';
const SKILL = '.claude/skills/precedent/SKILL.md';

/** Output as one line: a terminal's width has no part in it. */
const flat = (text: string) => text.replace(/\s+/g, ' ');
const POSIX = { skip: process.platform === 'win32' && 'needs the homes of POSIX' };

describe('what a person changes after setup', POSIX, () => {
  it('[A-1] unsetup leaves an entry whole that keys were added to, and names them', async (test) => {
    const { run, put, read, json: answer } = agentsHome(test, [], 'copied');
    await answer(['setup', 'codex', 'opencode', '--no-hooks']);
    put(CODEX, `${read(CODEX)}startup_timeout_sec = 60\n`);
    put(OPENCODE, read(OPENCODE).replace('"enabled": true', '"enabled": true,\n      "timeout": 5000'));
    const before = [read(CODEX), read(OPENCODE)];
    const { stdout } = await run(['unsetup']);
    assert.deepEqual([read(CODEX), read(OPENCODE)], before);
    assert.match(
      flat(stdout),
      /server mcp_servers\.precedent in \S+config\.toml was changed since setup: left as it is: startup_timeout_sec/,
    );
    assert.match(
      flat(stdout),
      /server mcp\.precedent in \S+opencode\.json was changed since setup: left as it is: timeout/,
    );
  });

  it('[A-1] a second setup enters what is new and leaves what was changed, each time with a word', async (test) => {
    const { run, put, read, json: answer, everything } = agentsHome(test, [], 'copied');
    await answer(['setup', 'codex', 'opencode']);
    put(OPENCODE, read(OPENCODE).replace('"enabled": true', '"enabled": false'));
    put(CODEX, read(CODEX).replace('"PGPASSWORD"', '"PGPASSWORD", "나의_변수"'));
    const before = everything();
    for (const _ of [1, 2]) {
      const { stdout } = await run(['setup', 'codex', 'opencode']);
      assert.match(flat(stdout), /changed since setup: left as it is: env_vars/);
      assert.match(flat(stdout), /changed since setup: left as it is: enabled/);
      assert.deepEqual(everything(), before);
    }
    const { stdout } = await run(['--workspace', 'team', 'setup', 'codex', 'opencode']);
    assert.match(flat(stdout), /left as it is: env_vars .*left as it is: enabled/);
    const server = JSON.parse(read(OPENCODE)).mcp.precedent;
    assert.deepEqual(server.command.slice(2), ['--workspace', 'team', 'mcp']);
    assert.equal(server.enabled, false);
    assert.match(read(CODEX), /"team", "mcp"\][\s\S]*"나의_변수"\]/);
    const changed = read(OPENCODE);
    assert.match(flat((await run(['unsetup', 'opencode'])).stdout), /left as it is: enabled/);
    assert.equal(read(OPENCODE), changed);
  });

  it('[A-1] what was added to a file that setup made survives another setup and unsetup', async (test) => {
    const { put, read, json: answer } = agentsHome(test, [], 'copied');
    await answer(['setup', 'gemini']);
    put(GEMINI, JSON.stringify({ ...JSON.parse(read(GEMINI)), theme: '어둠' }, null, 2));
    await answer(['--workspace', 'team', 'setup', 'gemini']);
    await answer(['unsetup']);
    assert.deepEqual(JSON.parse(read(GEMINI)), { theme: '어둠' });
  });

  it('[A-1] a server, a skill or a file that was taken out is entered again', async (test) => {
    const { put, read, json: answer, home, everything } = agentsHome(test, [], 'copied');
    await answer(['setup', 'claude']);
    const before = everything();
    put('.claude.json', '{}\n');
    for (const file of [SKILL, CLAUDE]) rmSync(join(home, file));
    const { agents } = await answer(['setup', 'claude']);
    assert.deepEqual(agents[0].left, []);
    assert.equal(everything()[join(home, CLAUDE)], before[join(home, CLAUDE)]);
    assert.equal(everything()[join(home, SKILL)], before[join(home, SKILL)]);
    assert.match(read('.claude.json'), /precedent/);
  });

  it('[A-1] a file that was taken out stays away with unsetup', async (test) => {
    const { put, json: answer, home } = agentsHome(test, [], 'copied');
    put(GEMINI, '{}\n');
    await answer(['setup', 'gemini']);
    rmSync(join(home, GEMINI));
    await answer(['unsetup']);
    assert.equal(existsSync(join(home, GEMINI)), false);
  });

  it('[A-1] a tool that was taken from the allowed ones does not come back, and a denied one is not allowed', async (test) => {
    const { run, put, read, json: answer } = agentsHome(test, [], 'copied');
    const denied = ['mcp__precedent__mama_save', 'Bash(rm:*)'];
    put(CLAUDE, JSON.stringify({ permissions: { deny: denied } }, null, 2));
    const allowed = () => JSON.parse(read(CLAUDE)).permissions.allow;
    const first = await run(['setup', 'claude']);
    assert.match(
      flat(first.stdout),
      /settings\.json forbids what setup would allow: left as it is: mcp__precedent__mama_save/,
    );
    assert(allowed().includes('mcp__precedent__recall'));
    assert(!allowed().includes(denied[0]));
    const settings = JSON.parse(read(CLAUDE));
    settings.permissions.allow = allowed().filter((name: string) => name !== 'mcp__precedent__recall');
    put(CLAUDE, JSON.stringify(settings, null, 2));
    const before = read(CLAUDE);
    for (const _ of [1, 2]) {
      const { stdout } = await run(['setup', 'claude']);
      assert.match(
        flat(stdout),
        /! permissions\.allow in \S+ was changed since setup: left as it is: mcp__precedent__recall /,
      );
      assert.equal(read(CLAUDE), before);
    }
    await answer(['unsetup']);
    assert.deepEqual(JSON.parse(read(CLAUDE)), { permissions: { deny: denied } });
  });

  for (const all of ['mcp__precedent', 'mcp__precedent__*'])
    it(`[A-1] where ${all} is denied, no tool is allowed`, async (test) => {
      const { put, read, json: answer } = agentsHome(test, [], 'copied');
      const text = JSON.stringify({ permissions: { deny: [all] } });
      put(CLAUDE, text);
      await answer(['setup', 'claude', '--no-hooks']);
      assert.equal(read(CLAUDE), text);
    });

  it('[A-1] [M-16] a changed skill is left and said each time, and doctor knows of it', async (test) => {
    const { run, put, read, json: answer } = agentsHome(test, ['claude'], 'copied');
    await answer(['setup', 'claude']);
    put(SKILL, `${read(SKILL)}\n우리 팀은 한국어로 적는다.\n`);
    const text = read(SKILL);
    for (const command of ['setup', 'setup', 'unsetup']) {
      if (command === 'unsetup')
        assert.match(
          flat((await run(['doctor'])).stdout),
          /connected, with hooks and skill .*! Claude Code: its skill was changed since setup: \S+SKILL\.md/,
        );
      const { stdout } = await run([command, 'claude']);
      assert.match(flat(stdout), /! skill in \S+SKILL\.md was changed since setup: left as it is/, command);
      assert.equal(read(SKILL), text);
    }
    const { agents } = await answer(['doctor']);
    assert.deepEqual([agents[0].server, agents[0].skill], ['missing', true]);
    assert.match(
      flat((await run(['doctor'])).stdout),
      /not connected, but its skill is there; .*! Claude Code: its skill was changed since setup/,
    );
    put('.gemini/skills/precedent/SKILL.md', '내 것');
    assert.match(
      flat((await run(['doctor'])).stdout),
      /! Gemini CLI: its skill is not the one that setup writes: \S+SKILL\.md/,
    );
  });

  it('[A-1] a server that unsetup leaves still starts, is said again, and goes when it is as it was', async (test) => {
    const {
      run,
      put,
      read,
      bench,
      json: answer,
      env,
      project,
      data,
      home,
      entered,
    } = agentsHome(test, [], 'copied');
    const root = join(bench.folder, '_npx/0a1b/node_modules/precedent-memory');
    for (const part of ['dist', 'skills', 'package.json'])
      cpSync(part, join(root, part), { recursive: true });
    const program = join(root, 'dist/precedent.cjs');
    await answer(['setup', 'opencode', '--no-hooks'], { program });
    const before = read(OPENCODE);
    put(OPENCODE, before.replace('"enabled": true', '"enabled": false'));
    for (const _ of [1, 2])
      assert.match(
        flat((await run(['unsetup'], { program })).stdout),
        /changed since setup: left as it is: enabled/,
      );
    assert.equal(JSON.parse(read(OPENCODE)).mcp.precedent.command[1], entered);
    const server = await bench.connect({ program: entered, env, cwd: project });
    assert((await server.client.listTools()).tools.length > 0);
    await server.client.close();
    put(OPENCODE, before);
    assert.deepEqual((await answer(['unsetup'], { program })).agents[0].left, []);
    assert.equal(existsSync(join(home, '.config')), false);
    assert.deepEqual([existsSync(join(data, 'app')), existsSync(join(data, 'setup'))], [false, false]);
  });

  it('[A-1] doctor says that setup leaves a command line that was changed', async (test) => {
    const { run, put, read, json: answer } = agentsHome(test, ['gemini'], 'copied');
    await answer(['setup', 'gemini']);
    put(GEMINI, read(GEMINI).replaceAll('precedent.cjs', 'gone.cjs'));
    const { stdout } = await run(['doctor']);
    assert.match(
      flat(stdout),
      /gone\.cjs, which is not there; this was changed since setup, so setup does not change it: take it out of .*enters this/,
    );
  });

  it('[A-1] what setup itself replaces or takes out is said as that, and not as changed by others', async (test) => {
    const { run, json: answer } = agentsHome(test, [], 'copied');
    const agents = AGENTS.map(({ name }) => name);
    await answer(['setup', ...agents]);
    for (const pins of [['--workspace', 'team'], ['--workspace', '다른'], []])
      for (const { left } of (await answer([...pins, 'setup', ...agents])).agents) assert.deepEqual(left, []);
    const { stdout } = await run(['setup', '--no-hooks', ...agents]);
    const said = flat(stdout);
    assert.doesNotMatch(said, /changed since/);
    for (const what of [
      /\.claude\/settings\.json tools that run without asking; hooks taken out/,
      /\.codex\/hooks\.json hooks removed/,
      /\.gemini\/settings\.json server; hooks taken out/,
      /plugins\/precedent\.js hooks removed/,
    ])
      assert.match(said, what);
  });

  it('[A-1] setup says which memory it no longer names', async (test) => {
    const { run, read, json: answer, project } = agentsHome(test, [], 'copied');
    const db = join(project, 'a.db');
    const first = await answer(['--db', db, '--workspace', 'team', 'setup', 'codex', 'opencode']);
    for (const { unpinned } of first.agents) assert.deepEqual(unpinned, []);
    const other = await answer(['--db', join(project, 'b.db'), 'setup', 'opencode']);
    assert.deepEqual(other.agents[0].unpinned, ['--workspace team']);
    const { stdout } = await run(['setup', 'codex']);
    assert.match(
      flat(stdout),
      new RegExp(`! no longer pinned to --db ${db} ! no longer pinned to --workspace`),
    );
    assert.doesNotMatch(JSON.stringify(toml.read(read(CODEX))), /a\.db|team/);
    assert.doesNotMatch((await run(['setup', 'codex'])).stdout, /pinned/);
  });
});
