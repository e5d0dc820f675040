import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import pkg from '../package.json' with { type: 'json' };
import { agentsHome } from './support/agents-home.ts';

const POSIX = { skip: process.platform === 'win32' && 'needs the homes of POSIX' };
const flat = (text: string) => text.replace(/\s+/g, ' ');
/** How agents start the server of the plugin: Claude Code from its folder, Codex by its text. */
const STARTS: Record<string, string[]> = {
  'Claude Code': [resolve('plugin/server.cjs')],
  Codex: JSON.parse(readFileSync('plugin/codex.mcp.json', 'utf8')).mcpServers.precedent.args.slice(0, 2),
};
const NOW = Date.UTC(2026, 10, 28, 12);
const ASKED = [
  { id: 1, method: 'server/discover' },
  {
    id: 2,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'a', version: '1' } },
  },
  { method: 'notifications/initialized' },
  { id: 3, method: 'tools/list' },
  { id: 4, method: 'tools/call', params: { name: 'recall', arguments: { task: 'a' } } },
];

/** A machine of one account, with programs as a test needs them, and what the plugin's server says on it. */
function machine(test: TestContext) {
  const all = agentsHome(test);
  const { bench, home, env, entered } = all;
  const copy = (text: string) => {
    mkdirSync(dirname(entered), { recursive: true });
    writeFileSync(entered, text);
  };
  const script = (file: string, text: string) => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text, { mode: 0o755 });
  };
  return {
    ...all,
    copy,
    /** A command in PATH, and the one that setup writes. */
    command: (text: string) => script(join(bench.folder, 'bin', 'precedent'), text),
    written: (text: string) => script(join(home, '.local', 'bin', 'precedent'), text),
    async served(agent = 'Claude Code', more: Record<string, string> = {}) {
      const [program = '', ...words] = STARTS[agent] ?? [];
      const stdin = ASKED.map((each) => `${JSON.stringify({ jsonrpc: '2.0', ...each })}\n`).join('');
      const options = { program, stdin, env: { ...env, ...more }, ...(agent === 'Codex' && { cwd: home }) };
      const { code, stdout } = await bench.run([...words, 'precedent', 'mcp'], options);
      const answers = stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      const result = (id: number) => answers.find((each) => each.id === id)?.result;
      return { code, start: result(2), tools: result(3)?.tools ?? [], call: result(4) };
    },
  };
}

describe('the server of the plugin', POSIX, () => {
  for (const agent of Object.keys(STARTS))
    it(`[RE-12] answers ${agent} where no program is there, and says what to do`, async (test) => {
      const { served } = machine(test);
      const { code, start, tools, call } = await served(agent);
      assert.equal(code, 0);
      assert.equal(start.protocolVersion, '2025-11-25');
      assert.match(
        start.instructions,
        /did not start: it is not installed on this machine\. Tell the user so/,
      );
      assert.match(
        start.instructions,
        /run "precedent setup" and start this agent anew.*do not conclude that/,
      );
      assert.deepEqual([tools.length, tools[0].description], [1, start.instructions]);
      assert.deepEqual([call.isError, call.content[0].text], [true, start.instructions]);
    });

  it('[RE-12] answers, and says why, where the Node, the settings or the program are wrong', async (test) => {
    const { served, copy, command } = machine(test);
    const old = 'precedent needs Node 22.18 or newer, found 20.20.2. Install a newer one';
    copy(`process.stderr.write(${JSON.stringify(`${old}\n`)}); process.exit(1);`);
    assert(flat((await served()).start.instructions).includes(`did not start: ${old}. Tell`));
    copy('process.kill(process.pid, "SIGKILL");');
    assert.match((await served()).start.instructions, /did not start: it ended at once\. Tell/);
    copy(`require(${JSON.stringify(join(process.cwd(), 'dist/precedent.cjs'))});`);
    const wrong = await served('Claude Code', { PRECEDENT_EMBED_URL: 'ftp://x' });
    assert.match(wrong.start.instructions, /did not start: .*PRECEDENT_EMBED_URL.* Tell the user/);
    copy('throw new Error("half a file")');
    command('#!/bin/sh\nexit 127\n');
    assert.equal((await served()).tools.length, 1);
  });

  it('[RE-12] starts the copy of setup, else the command, else the one that setup wrote', async (test) => {
    const { served, copy, command, written } = machine(test);
    const ours = join(process.cwd(), 'dist/precedent.cjs');
    const shell = `#!/bin/sh\nexec "${process.execPath}" "${ours}" "$@"\n`;
    const isServed = async (agent?: string) => {
      const { code, start, tools } = await served(agent);
      assert.deepEqual([code, start.serverInfo.version], [0, pkg.version]);
      assert(tools.length > 10);
    };
    written(shell);
    await isServed('Codex');
    command('#!/bin/sh\necho older >&2; exit 1\n');
    await isServed();
    written('#!/bin/sh\nexit 1\n');
    command(shell);
    await isServed();
    copy('process.exit(1)');
    await isServed();
    command('#!/bin/sh\nexit 1\n');
    copy(`require(${JSON.stringify(ours)});`);
    await isServed();
  });

  it('[RE-12] ends with the program that it started, and ends that with itself', async (test) => {
    const { bench, env, copy } = machine(test);
    copy(`process.on('SIGTERM', () => process.exit(3));
      process.stdin.resume();
      process.stdout.write(process.pid + '\\n');`);
    const { child, exited } = bench.start(['precedent', 'mcp'], {
      program: resolve('plugin/server.cjs'),
      env,
    });
    let pid = 0;
    child.stdout.once('data', (text) => {
      pid = Number(text);
      child.kill('SIGTERM');
    });
    assert.equal(await exited, 3);
    assert.throws(() => process.kill(pid, 0), /ESRCH/);
  });
});

describe('the hooks of the plugin', POSIX, () => {
  it('[RE-12] say at the start of a session to the person and the agent that they do not run', async (test) => {
    const { bench, env, home, copy } = machine(test);
    const installed = join(home, '.claude', 'plugins', 'precedent', 'hooks');
    cpSync('plugin/hooks', installed, { recursive: true });
    const hook = (...words: string[]) => bench.run(words, { program: join(installed, 'hook.cjs'), env });
    const { code, stdout } = await hook('start');
    const { systemMessage, hookSpecificOutput } = JSON.parse(stdout);
    assert.equal(code, 0);
    assert.match(
      systemMessage,
      /do not run\. Precedent is not set up on this machine\. Run "precedent setup"/,
    );
    assert.equal(hookSpecificOutput.hookEventName, 'SessionStart');
    assert.match(hookSpecificOutput.additionalContext, /do not conclude that nothing was decided/);
    assert.deepEqual(await hook(), { code: 0, stdout: '', stderr: '' });
    copy('require("./gone.cjs")');
    assert.match(JSON.parse((await hook('start')).stdout).systemMessage, /MODULE_NOT_FOUND.*setup" anew/);
    assert.deepEqual(await hook(), { code: 0, stdout: '', stderr: '' });
  });

  it('[RE-12] are told apart by their event: one of a start, and the others', () => {
    const { hooks } = JSON.parse(readFileSync('plugin/hooks/hooks.json', 'utf8'));
    for (const [event, groups] of Object.entries<{ hooks: { command: string }[] }[]>(hooks))
      assert.equal(groups[0]?.hooks[0]?.command.endsWith(' start'), event === 'SessionStart', event);
  });
});

describe('precedent doctor', POSIX, () => {
  it('[RE-12] says until when Claude Code skips our server, and what to do', async (test) => {
    test.mock.timers.enable({ apis: ['Date'], now: NOW });
    const { put, run, json } = agentsHome(test, ['claude'], 'here');
    put('.claude/settings.json', '{"enabledPlugins":{"precedent@precedent":true}}');
    const noted = (name: string, ago: number) =>
      put('.claude/mcp-needs-auth-cache.json', JSON.stringify({ [name]: { timestamp: NOW - ago, id: '0' } }));
    const notes = async () => (await json(['doctor'])).agents[0].notes.join(' ');
    assert.doesNotMatch(await notes(), /skips/);
    const file = noted('plugin:precedent:precedent', 60_000);
    assert.match(await notes(), /^it got no answer from its server, and silently skips it until \d\d:\d\d:/);
    assert(
      flat((await run(['doctor'])).stdout)
        .replace(/ /g, '')
        .includes(`remove${file}`),
    );
    for (const [name, ago] of [
      ['plugin:precedent:precedent', 16 * 60_000],
      ['plugin:other:other', 0],
    ] as const) {
      noted(name, ago);
      assert.doesNotMatch(await notes(), /skips/);
    }
    for (const rubbish of ['', '[]', '{"precedent":null}', '{"precedent":{"timestamp":"x"}}', '7']) {
      put('.claude/mcp-needs-auth-cache.json', rubbish);
      assert.doesNotMatch(await notes(), /skips/);
    }
  });
});
