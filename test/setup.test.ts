import assert from 'node:assert/strict';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { valueAt } from '../src/agents/edit/value.ts';
import { formatOf, KNOWN } from './support/agents.ts';
import { agentsHome } from './support/agents-home.ts';

const SKILL = readFileSync('skills/precedent/SKILL.md', 'utf8');
const NODE = process.execPath;
const POSIX = { skip: process.platform === 'win32' && 'needs the homes and links of POSIX' };

describe('precedent setup', POSIX, () => {
  it('[A-1] all agents: connected, twice is once, and unsetup leaves what was there', async (test) => {
    const { read, json: answer, snapshot, everything, entered, put, home } = agentsHome(test, [], 'here');
    const before = snapshot();
    await answer(['setup', ...Object.keys(KNOWN)]);
    for (const { file, path, started, skill } of Object.values(KNOWN)) {
      assert.deepEqual(valueAt(formatOf(file).read(read(file)), path), started(NODE, [entered, 'mcp']));
      if (skill) assert.equal(read(skill), SKILL, '[M-16]');
    }
    const after = everything();
    const { agents } = await answer(['setup', ...Object.keys(KNOWN)]);
    for (const { files } of agents) for (const { done } of files) assert.equal(done, 'unchanged');
    assert.deepEqual(everything(), after);
    put('.local/share/precedent/hooks/session.json', '{"said":{}}');
    await answer(['unsetup']);
    assert.deepEqual(snapshot(), before);
    assert(!existsSync(join(home, '.local/share/precedent/hooks')), 'no session is remembered');
  });

  it('[A-1] connects the agents that are found, by program or folder; one for each project only by name', async (test) => {
    const { run, json: answer, put, read, home } = agentsHome(test, ['claude', 'cursor'], 'here');
    put('.gemini/.keep', '');
    const { agents } = await answer(['setup']);
    assert.deepEqual(
      agents.map(({ agent }: { agent: string }) => agent),
      ['claude', 'gemini'],
    );
    assert.equal(existsSync(join(home, 'project/.cursor')), false);
    assert.match(
      (await run(['setup'])).stdout,
      /Cursor is set up in each project: run "precedent setup cursor" there/,
    );
    const { permissions } = JSON.parse(read('.claude/settings.json'));
    assert(permissions.allow.includes('mcp__precedent__recall'));
    for (const tool of ['delete', 'mem_unrelate'])
      assert(!permissions.allow.includes(`mcp__precedent__${tool}`), tool);
  });

  it('[A-1] says when there is no agent, or none of that name, and writes nothing', async (test) => {
    const { run, everything } = agentsHome(test, [], 'here');
    await run(['--version']);
    const before = everything();
    for (const dry of [[], ['--dry-run']]) {
      const none = await run(['setup', ...dry]);
      assert.equal(none.code, 3);
      assert.match(none.stderr, /found none\. .*\n- Claude Code: claude in PATH, \S+\/\.claude\n/);
      assert.match(
        none.stderr,
        /Nothing was changed.*"precedent setup claude".*cursor, opencode.*"precedent mcp"/,
      );
    }
    const unknown = await run(['setup', 'claude', 'clippy']);
    assert.equal(unknown.code, 2);
    assert.match(unknown.stderr, /Expected one of these agents: claude, codex, .*found "clippy"/);
    assert.match((await run(['setup', 'claud'])).stderr, /found "claud"\. Did you mean "claude"\?/);
    assert.match((await run(['unsetup'])).stdout, /Setup has written nothing here/);
    assert.deepEqual(everything(), before);
  });

  it('[A-1] --dry-run shows the lines that change and writes nothing', async (test) => {
    const { run, everything, put, json: answer } = agentsHome(test, [], 'here');
    put('.codex/config.toml', 'model = "x"\n');
    await run(['--version']);
    const before = everything();
    const { stdout } = await run(['setup', 'codex', '--dry-run']);
    assert.match(stdout, /^ {2}\+ mcp_servers\.precedent:/m);
    assert.deepEqual(everything(), before);
    await answer(['setup', 'codex']);
    const after = everything();
    const { stdout: shown } = await run(['unsetup', '--dry-run']);
    assert.match(shown, /^ {2}- mcp_servers\.precedent$/m);
    assert.match(shown.replace(/\s+/g, ' '), /the command, \S+, would be removed/);
    assert.deepEqual(everything(), after);
  });

  it('[TR-7] --dry-run of a file that exists is a few lines, and setup says what it costs and how to begin', async (test) => {
    const { run, put } = agentsHome(test, [], 'here');
    put('.claude/settings.json', '{"permissions":{"allow":["Bash(ls)"]}}');
    const dry = (await run(['setup', 'claude', '--dry-run'])).stdout;
    assert.match(dry, /^ {2}\+ permissions\.allow: \d+ entries$/m);
    assert.ok(dry.split('\n').length < 35, dry);
    const done = (await run(['setup', 'claude'])).stdout.replace(/\s+/g, ' ');
    assert.match(
      done,
      /at most 3,500 tokens of tools .*A memory fills as agents work\. To add .*"precedent import --from auto" there/,
    );
  });

  it('[A-1] --dry-run shows nothing of others, whatever line it stands on', async (test) => {
    const { run, put, json: answer } = agentsHome(test, [], 'here');
    const [file, secret] = ['.gemini/settings.json', 'sk-비밀-1234'];
    const server = { command: 'x', env: { KEY: secret }, args: [secret] };
    for (const indent of [undefined, 2]) {
      put(
        file,
        `\uFEFF${JSON.stringify({ key: secret, mcpServers: { other: server }, hooks: {} }, null, indent)}`,
      );
      put('.codex/config.toml', `# ${secret}\n[mcp_servers.other]\nenv = { KEY = "${secret}" }`);
      for (const command of ['setup', 'unsetup']) {
        const { stdout } = await run([command, 'gemini', 'codex', '--dry-run']);
        assert.match(stdout, command === 'setup' ? /^ {2}\+ .*precedent/m : /^ {2}- .*precedent/m);
        assert.doesNotMatch(stdout, /비밀/);
        assert.doesNotMatch((await run([command, 'gemini', '--dry-run', '--json'])).stdout, /비밀/);
        await answer([command, 'gemini', 'codex']);
      }
    }
  });

  it('[A-1] a file that cannot be read is left alone with all of its agent, and the others are set up', async (test) => {
    for (const [content, why] of [
      ['{ "a": ', /is not JSON/],
      ['[]', /not a JSON object/],
      [Buffer.from([0x7b, 0xff, 0x7d]), /not UTF-8/],
      ['{"hooks": 1, "mcpServers": []}', /expected a group in mcpServers/],
    ] as const) {
      const { run, put, read, home } = agentsHome(test, [], 'here');
      const file = put('.gemini/settings.json', content);
      const { code, stdout } = await run(['setup', 'gemini', 'opencode']);
      assert.equal(code, 4);
      assert.match(
        stdout.replace(/\s+/g, ' '),
        new RegExp(`settings.json was left as it is: .*${why.source}`),
      );
      assert.deepEqual(readFileSync(file), Buffer.from(content));
      assert.equal(existsSync(join(home, '.gemini/skills')), false);
      assert.match(read('.config/opencode/opencode.json'), /precedent/);
    }
  });

  it('[A-1] a read-only file is refused, and a linked one stays a link with its mode', async (test) => {
    const { run, put, json: answer, snapshot, home, read } = agentsHome(test, [], 'here');
    const readOnly = put('.gemini/settings.json', '{}\n');
    chmodSync(readOnly, 0o444);
    const { code, stdout } = await run(['setup', 'gemini']);
    assert.equal(code, 5);
    assert.match(stdout.replace(/\s+/g, ' '), /settings.json cannot be written \((?:read-only|EACCES)\)/);
    assert.equal(read('.gemini/settings.json'), '{}\n');
    const real = put('dotfiles/코덱스.toml', 'model = "x"\n');
    chmodSync(real, 0o600);
    mkdirSync(join(home, '.codex'));
    symlinkSync('../dotfiles/코덱스.toml', join(home, '.codex/config.toml'));
    const before = snapshot();
    await answer(['setup', 'codex']);
    assert.match(readFileSync(real, 'utf8'), /mcp_servers\.precedent/);
    const changed = snapshot();
    assert.match(changed[real] ?? '', /^600 /);
    assert.equal(changed[join(home, '.codex/config.toml')], 'link to ../dotfiles/코덱스.toml');
    await answer(['unsetup', 'codex']);
    assert.deepEqual(snapshot(), before);
  });

  it('[A-1] the folders that agents are told by their environment are used', async (test) => {
    const { json: answer, home, run } = agentsHome(test, [], 'here');
    const env = Object.fromEntries(
      ['CLAUDE_CONFIG_DIR', 'CODEX_HOME', 'GEMINI_CLI_HOME', 'COPILOT_HOME', 'OPENCODE_CONFIG_DIR'].map(
        (name) => [name, join(home, name)],
      ),
    );
    const { agents } = await answer(['setup', 'claude', 'codex', 'gemini', 'copilot', 'opencode'], { env });
    for (const { files } of agents)
      for (const { file } of files)
        assert(
          Object.values(env).some((folder) => file.startsWith(folder)),
          file,
        );
    // Another folder of the same agent keeps what it has.
    await answer(['setup', 'codex']);
    assert.match(readFileSync(join(home, 'CODEX_HOME/config.toml'), 'utf8'), /precedent/);
    await run(['unsetup']);
    assert.equal(existsSync(join(home, 'CODEX_HOME')), false);
  });

  it('[A-1] Cursor is set up in the project, each by itself', async (test) => {
    const { json: answer, home, run } = agentsHome(test, [], 'here');
    const other = join(home, '다른 프로젝트');
    mkdirSync(join(other, '.git'), { recursive: true });
    mkdirSync(join(other, 'src'));
    await answer(['setup', 'cursor']);
    await answer(['setup', 'cursor'], { cwd: join(other, 'src') });
    for (const folder of [join(home, 'project'), other])
      assert.match(readFileSync(join(folder, '.cursor/mcp.json'), 'utf8'), /precedent/);
    const { code, stdout } = await run(['setup', 'cursor'], { cwd: home });
    assert.equal(code, 2);
    assert.match(stdout, /Run this in the folder of one/);
    await answer(['unsetup']);
    assert.equal(existsSync(join(other, '.cursor')), false);
  });

  it('[A-1] a memory that is named goes into the entry, and a password never does', async (test) => {
    const { run, json: answer, read, project, entered } = agentsHome(test, [], 'here');
    await answer(['--db', 'why.db', 'setup', 'gemini']);
    const { args } = JSON.parse(read('.gemini/settings.json')).mcpServers.precedent;
    assert.deepEqual(args, [entered, '--db', join(project, 'why.db'), 'mcp']);
    const refused = await run(['--db', 'postgres://me:secret@host/why', 'setup', 'gemini']);
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /without a password/);
    await answer(['setup', 'gemini']);
    assert.deepEqual(JSON.parse(read('.gemini/settings.json')).mcpServers.precedent.args, [entered, 'mcp']);
    await answer(['unsetup']);
  });

  it('[A-1] the server that is entered serves the memory of the project', async (test) => {
    const { json: answer, read, bench, env, project, run } = agentsHome(test, [], 'here');
    await answer(['setup', 'claude']);
    const { args } = JSON.parse(read('.claude.json')).mcpServers.precedent;
    const server = await bench.connect({ program: args[0], env, cwd: project });
    await server.call('mama_save', { topic: '설정:연결', decision: '한 명령으로 연결한다' });
    assert.match((await run(['tool', 'mama_search', '연결'])).stdout, /한 명령으로 연결한다/);
  });

  it('[A-1] [A-2] hooks are entered unless --no-hooks says otherwise, and the one that is entered answers', async (test) => {
    const { json: answer, bench, env, project, read } = agentsHome(test, [], 'here');
    const hooks = () => JSON.parse(read('.claude/settings.json')).hooks;
    await answer(['setup', 'claude']);
    assert.deepEqual(Object.keys(hooks()), [
      'SessionStart',
      'UserPromptSubmit',
      'SubagentStart',
      'PreToolUse',
      'PostToolUse',
      'PostToolUseFailure',
    ]);
    const [{ matcher, hooks: [{ command, args }] = [] }] = hooks().SessionStart;
    assert.equal(matcher, 'startup|resume|clear|compact');
    assert.equal(command, NODE);
    await answer([
      'tool',
      'mama_save',
      '시간:축',
      '시각은 UTC로 저장한다',
      '--scope',
      'global',
      '--strength',
      'axis',
    ]);
    const { code, stdout, stderr } = await bench.run(args.slice(1), {
      program: args[0],
      env,
      cwd: project,
      stdin: JSON.stringify({
        hook_event_name: 'SessionStart',
        session_id: 'a',
        source: 'startup',
        cwd: project,
      }),
    });
    assert.equal(code, 0, stderr);
    assert.match(JSON.parse(stdout).hookSpecificOutput.additionalContext, /시각은 UTC로 저장한다/);
    await answer(['setup', 'claude', '--no-hooks']);
    assert.equal(hooks(), undefined);
  });

  it('[A-1] from a cache of npx, a copy that stays is entered, and goes with unsetup', async (test) => {
    const { json: answer, read, bench, env, project, data, entered } = agentsHome(test, [], 'here');
    const root = join(bench.folder, '_npx/0a1b/node_modules/precedent-memory');
    mkdirSync(root, { recursive: true });
    for (const part of ['dist', 'skills', 'package.json'])
      cpSync(part, join(root, part), { recursive: true });
    const program = join(root, 'dist/precedent.cjs');
    await answer(['setup', 'gemini', '--dry-run'], { program });
    assert.equal(existsSync(data), false);
    await answer(['setup', 'gemini'], { program });
    assert.equal(JSON.parse(read('.gemini/settings.json')).mcpServers.precedent.args[0], entered);
    // Another build of the same version takes its place.
    writeFileSync(join(root, 'dist/index.js'), `${readFileSync(join(root, 'dist/index.js'), 'utf8')}\n`);
    const settings = read('.gemini/settings.json');
    await answer(['setup', 'gemini'], { program });
    assert.equal(read('.gemini/settings.json'), settings);
    rmSync(root, { recursive: true });
    const server = await bench.connect({ program: entered, env, cwd: project });
    assert((await server.client.listTools()).tools.length > 0);
    await server.client.close();
    await answer(['unsetup']);
    assert.equal(existsSync(join(data, 'app')), false);
  });
});

describe('precedent doctor', POSIX, () => {
  it('[A-1] shows what each agent has', async (test) => {
    const {
      json: answer,
      put,
      run,
      read,
      entered,
    } = agentsHome(test, ['claude', 'codex', 'gemini', 'copilot', 'opencode'], 'here');
    await answer(['setup', 'claude', 'codex']);
    put(
      '.gemini/settings.json',
      '{"mcpServers":{"why":{"command":"npx","args":["-y","precedent-memory","mcp"]}}}',
    );
    put('.config/opencode/opencode.json', '{');
    const { agents } = await answer(['doctor']);
    assert.deepEqual(
      agents.map(({ agent, server, skill }: Record<string, unknown>) => [agent, server, skill]),
      [
        ['claude', 'setup', true],
        ['codex', 'setup', true],
        ['gemini', 'by hand', false],
        ['copilot', 'missing', false],
        ['opencode', 'unreadable', undefined],
      ],
    );
    const { stdout } = await run(['doctor']);
    assert.match(stdout, /Claude Code\s+connected, with hooks and skill/);
    assert.match(stdout, /Gemini CLI\s+connected by hand/);
    assert.match(stdout, /GitHub Copilot CLI\s+not connected; "precedent setup copilot" connects it/);
    assert.match(stdout, /! OpenCode: .*opencode.json: line 1 is not JSON/);
    put('.claude.json', read('.claude.json').replace(entered, '/gone/precedent.cjs'));
    const later = await run(['doctor']);
    const said = later.stdout.replace(/\s+/g, ' ');
    assert.match(said, /! Claude Code: it starts \/gone\/precedent.cjs, which does not exist: /);
  });

  it('[A-1] says nothing of agents where there are none', async (test) => {
    const { json: answer, run } = agentsHome(test, [], 'here');
    assert.deepEqual((await answer(['doctor'])).agents, []);
    assert.doesNotMatch((await run(['doctor'])).stdout, /agent/);
  });
});
