import assert from 'node:assert/strict';
import { existsSync, rmSync } from 'node:fs';
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
  it('[A-1] unsetup takes an entry that was changed, by its key, and names what was changed', async (test) => {
    const { run, put, snapshot, read, json: answer } = agentsHome(test, [], 'here');
    put(CODEX, '# mine\nmodel = "x"\n');
    const before = snapshot();
    await answer(['setup', 'codex', 'opencode']);
    // As Codex writes it when its person approves a tool for good.
    const approved = '\n[mcp_servers.precedent.tools.mama_save]\napproval_mode = "approve"\n';
    put(CODEX, `${read(CODEX)}startup_timeout_sec = 60\n${approved}`);
    put(OPENCODE, read(OPENCODE).replace('"enabled": true', '"enabled": false'));
    const said = flat((await run(['unsetup'])).stdout);
    assert.match(
      said,
      /! server mcp_servers\.precedent in \S+ is removed, although .* since setup: startup_timeout_sec, tools /,
    );
    assert.match(
      said,
      /! server mcp\.precedent in \S+opencode\.json is removed, although .* since setup: enabled /,
    );
    assert.deepEqual(snapshot(), before);
  });

  it('[A-1] an entry that an agent wrote anew is found by its key, and taken alone', async (test) => {
    const { put, read, json: answer, entered } = agentsHome(test, [], 'here');
    const others = '# mine\n[mcp_servers.other]\ncommand = "x" # why\n';
    // As `codex mcp add precedent` and `claude mcp add-json precedent` leave their files.
    const forms = [
      [CODEX, `${others}\n[mcp_servers.precedent]\ncommand = "node"\nargs = ["${entered}", "mcp"]\n`, others],
      [CODEX, `${others}[mcp_servers]\nprecedent = { command = "node" }\n`, `${others}[mcp_servers]\n`],
      [
        '.claude.json',
        '{"numStartups":9,"mcpServers":{"other":{},"precedent":{"command":"precedent"}}}',
        '{"numStartups":9,"mcpServers":{"other":{}}}',
      ],
    ] as const;
    for (const [file, text, left] of forms) {
      await answer(['setup', 'claude', 'codex']);
      put(file, text);
      await answer(['unsetup']);
      assert.equal(read(file), left);
      put(file, '');
    }
  });

  it('[A-1] where the list is lost, what starts the copy is ours, and nothing else is', async (test) => {
    const { put, read, json: answer, data, everything } = agentsHome(test, [], 'here');
    const hand = '{"mcpServers":{"precedent":{"command":"precedent","args":["mcp"]}}}';
    put(GEMINI, hand);
    const others = { hooks: [{ type: 'command', command: 'other' }] };
    put('.codex/hooks.json', JSON.stringify({ hooks: { SessionStart: [others] } }));
    const names = ['claude', 'codex', 'gemini', 'copilot', 'opencode'];
    await answer(['setup', ...names]);
    const list = read('.local/share/precedent/setup/setup.json');
    const lose = () => rmSync(join(data, 'setup'), { recursive: true });
    lose();
    const { agents } = await answer(['setup', ...names]);
    for (const { files } of agents) for (const { done, file } of files) assert.equal(done, 'unchanged', file);
    assert.match(list, /hooks\.json/);
    lose();
    await answer(['unsetup']);
    const left = Object.values(everything()).map(
      (each) => `${Buffer.from(each.split(' ')[1] ?? '', 'base64')}`,
    );
    assert.deepEqual(
      left.filter((text) => /current.*precedent\.cjs/.test(text)),
      [],
    );
    assert.equal(JSON.parse(read(GEMINI)).mcpServers.precedent.command, 'precedent');
    assert.deepEqual(JSON.parse(read('.codex/hooks.json')), { hooks: { SessionStart: [others] } });
  });

  it('[A-1] a second setup writes what it has anew to say, and leaves what was changed', async (test) => {
    const { run, put, read, json: answer, everything } = agentsHome(test, [], 'here');
    await answer(['setup', 'codex', 'opencode']);
    put(OPENCODE, read(OPENCODE).replace('"enabled": true', '"enabled": false'));
    put(CODEX, read(CODEX).replace('"PGPASSWORD"', '"PGPASSWORD", "나의_변수"'));
    const before = everything();
    await answer(['setup', 'codex', 'opencode']);
    assert.deepEqual(everything(), before);
    await run(['--workspace', 'team', 'setup', 'codex', 'opencode']);
    const server = JSON.parse(read(OPENCODE)).mcp.precedent;
    assert.deepEqual(server.command.slice(2), ['--workspace', 'team', 'mcp']);
    assert.equal(server.enabled, false);
    assert.match(read(CODEX), /"team", "mcp"\][\s\S]*"나의_변수"\]/);
  });

  it('[A-1] what was added to a file that setup made survives another setup and unsetup', async (test) => {
    const { put, read, json: answer } = agentsHome(test, [], 'here');
    await answer(['setup', 'gemini']);
    put(GEMINI, JSON.stringify({ ...JSON.parse(read(GEMINI)), theme: '어둠' }, null, 2));
    await answer(['--workspace', 'team', 'setup', 'gemini']);
    await answer(['unsetup']);
    assert.deepEqual(JSON.parse(read(GEMINI)), { theme: '어둠' });
  });

  it('[A-1] a server, a skill or a file that was taken out is entered again', async (test) => {
    const { put, read, json: answer, home, everything } = agentsHome(test, [], 'here');
    await answer(['setup', 'claude']);
    const before = everything();
    put('.claude.json', '{}\n');
    for (const file of [SKILL, CLAUDE]) rmSync(join(home, file));
    const { agents } = await answer(['setup', 'claude']);
    assert.deepEqual(agents[0].notes, []);
    assert.equal(everything()[join(home, CLAUDE)], before[join(home, CLAUDE)]);
    assert.equal(everything()[join(home, SKILL)], before[join(home, SKILL)]);
    assert.match(read('.claude.json'), /precedent/);
  });

  it('[A-1] a file that was taken out stays away with unsetup', async (test) => {
    const { put, json: answer, home } = agentsHome(test, [], 'here');
    put(GEMINI, '{}\n');
    await answer(['setup', 'gemini']);
    rmSync(join(home, GEMINI));
    await answer(['unsetup']);
    assert.equal(existsSync(join(home, GEMINI)), false);
  });

  it('[A-1] a tool that was taken from the allowed ones does not come back, and a denied one is not allowed', async (test) => {
    const { run, put, read, json: answer } = agentsHome(test, [], 'here');
    const denied = ['mcp__precedent__mama_save', 'Bash(rm:*)'];
    put(CLAUDE, JSON.stringify({ permissions: { deny: denied } }, null, 2));
    const allowed = () => JSON.parse(read(CLAUDE)).permissions.allow;
    const first = await run(['setup', 'claude']);
    assert.match(
      flat(first.stdout),
      /mcp__precedent__mama_save is forbidden in \S+settings\.json: left as it is/,
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
        /! mcp__precedent__recall was removed from \S+settings\.json since setup: it is not added again /,
      );
      assert.equal(read(CLAUDE), before);
    }
    await answer(['unsetup']);
    assert.deepEqual(JSON.parse(read(CLAUDE)), { permissions: { deny: denied } });
  });

  for (const all of ['mcp__precedent', 'mcp__precedent__*'])
    it(`[A-1] where ${all} is denied, no tool is allowed`, async (test) => {
      const { put, read, json: answer } = agentsHome(test, [], 'here');
      const text = JSON.stringify({ permissions: { deny: [all] } });
      put(CLAUDE, text);
      await answer(['setup', 'claude', '--no-hooks']);
      assert.equal(read(CLAUDE), text);
    });

  it('[A-1] [M-16] a changed skill is left and said each time', async (test) => {
    const { run, put, read, json: answer } = agentsHome(test, ['claude'], 'here');
    await answer(['setup', 'claude']);
    put(SKILL, `${read(SKILL)}\n우리 팀은 한국어로 적는다.\n`);
    const text = read(SKILL);
    for (const command of ['setup', 'setup', 'unsetup']) {
      const { stdout } = await run([command, 'claude']);
      assert.match(flat(stdout), /! skill in \S+SKILL\.md was changed since setup: left as it is/, command);
      assert.equal(read(SKILL), text);
    }
    const { agents } = await answer(['doctor']);
    assert.deepEqual([agents[0].server, agents[0].skill], ['missing', true]);
  });

  it('[A-1] what setup itself replaces or takes out is said as that, and not as changed by others', async (test) => {
    const { run, json: answer } = agentsHome(test, [], 'here');
    const agents = AGENTS.map(({ name }) => name);
    await answer(['setup', ...agents]);
    for (const pins of [['--workspace', 'team'], ['--workspace', '다른'], []])
      for (const { notes } of (await answer([...pins, 'setup', ...agents])).agents)
        assert.deepEqual(notes, pins.length > 0 ? [] : ['no longer pinned to --workspace 다른']);
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
    const { run, read, json: answer, project } = agentsHome(test, [], 'here');
    const db = join(project, 'a.db');
    const first = await answer(['--db', db, '--workspace', 'team', 'setup', 'codex', 'opencode']);
    for (const { notes } of first.agents) assert.deepEqual(notes, []);
    const other = await answer(['--db', join(project, 'b.db'), 'setup', 'opencode']);
    assert.deepEqual(other.agents[0].notes, ['no longer pinned to --workspace team']);
    const { stdout } = await run(['setup', 'codex']);
    assert.match(
      flat(stdout),
      new RegExp(`! no longer pinned to --db ${db} ! no longer pinned to --workspace`),
    );
    assert.doesNotMatch(JSON.stringify(toml.read(read(CODEX))), /a\.db|team/);
    assert.doesNotMatch((await run(['setup', 'codex'])).stdout, /pinned/);
  });
});
