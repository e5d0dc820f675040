import assert from 'node:assert/strict';
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { startOf } from '../src/agents/conversation.ts';
import { toml } from '../src/agents/edit/toml.ts';
import { valueAt } from '../src/agents/edit/value.ts';
import { agentsHome } from './support/agents-home.ts';

const CONFIG = '.codex/config.toml';
const HOOKS = '.codex/hooks.json';
const OTHERS = '{"hooks":{"SessionStart":[{"hooks":[{"type":"command","command":"other"}]}]}}';
const POSIX = { skip: process.platform === 'win32' && 'needs the homes and scripts of POSIX' };
const flat = (text: string) => text.replace(/\s+/g, ' ');

/** A home with a Codex in it, whose server answers as the real one did. */
function codexHome(test: TestContext) {
  const here = agentsHome(test, ['codex'], 'copied');
  const program = join(here.bench.folder, 'bin', 'codex');
  const server = join(import.meta.dirname, 'support/codex.ts');
  const called = `codexServer(process.env.HOME + '/.codex', process.argv.slice(2), process.env.CODEX_MOOD)`;
  // What it imports is compiled once for all that are started, as for the tests themselves.
  const cache = process.env.NODE_COMPILE_CACHE;
  const cached = cache ? `require('node:module').enableCompileCache(${JSON.stringify(cache)});\n` : '';
  writeFileSync(
    program,
    `#!${process.execPath}\n${cached}import(${JSON.stringify(server)}).then(({ codexServer }) => ${called});\n`,
  );
  chmodSync(program, 0o755);
  const trusted = (): Record<string, unknown> =>
    (valueAt(toml.read(here.read(CONFIG)), ['hooks', 'state']) ?? {}) as Record<string, unknown>;
  const keys = () => Object.keys(trusted()).map((key) => key.replace(join(here.home, HOOKS), ''));
  return { ...here, program, trusted, keys };
}

describe('precedent setup codex --trust', POSIX, () => {
  it('[A-1] asks the server of Codex, enters its trust in our hooks alone, and unsetup takes exactly that', async (test) => {
    const { run, put, read, json: answer, snapshot, program, keys, home } = codexHome(test);
    put(HOOKS, OTHERS);
    put(CONFIG, '# mine\nmodel = "x"\n');
    const before = snapshot();
    const plain = await run(['setup', 'codex']);
    assert.match(
      flat(plain.stdout),
      /! Codex silently skips hooks that it does not trust: type \/hooks in Codex, or run "precedent setup codex --trust"/,
    );
    assert(!existsSync(join(home, '.codex/asked.log')), 'it is not started');
    const ran = await run(['setup', 'codex', '--trust']);
    assert.equal(ran.code, 0, ran.stderr);
    assert.match(
      ran.stderr,
      new RegExp(`^precedent: Starting "${program} app-server", to enter in Codex that`),
    );
    assert.match(flat(ran.stdout), /config\.toml server, trust in its hooks/);
    assert.doesNotMatch(ran.stdout, /skips hooks/);
    const ours = [
      ':session_start:1:0',
      ':user_prompt_submit:0:0',
      ':subagent_start:0:0',
      ':post_tool_use:0:0',
    ];
    assert.deepEqual(keys(), ours);
    const [first, second, initialized, list] = read('.codex/asked.log').split('\n');
    assert.equal(first, 'app-server');
    assert.match(second ?? '', /^initialize \{"clientInfo":\{"name":"precedent",/);
    assert.equal(initialized, 'initialized undefined');
    assert.equal(list, `hooks/list {"cwds":["${join(home, '.codex')}"]}`);
    const after = [read(CONFIG), read(HOOKS)];
    for (const args of [['--trust'], []]) {
      const { agents } = await answer(['setup', 'codex', ...args]);
      assert.equal(agents[0].trusted, true);
      assert.deepEqual([read(CONFIG), read(HOOKS)], after, 'twice is once');
    }
    await answer(['unsetup']);
    const { [join(home, '.codex/asked.log')]: _, ...left } = snapshot();
    assert.deepEqual(left, before);
  });

  it('[A-1] what others write after it stays, and what a person trusted is not ours', async (test) => {
    const { put, read, json: answer, keys, home } = codexHome(test);
    put(HOOKS, OTHERS);
    await answer(['setup', 'codex', '--trust']);
    const other = `[hooks.state."${join(home, HOOKS)}:session_start:0:0"]\ntrusted_hash = "sha256:of theirs"\n`;
    put(CONFIG, `${read(CONFIG)}\n${other}`);
    await answer(['unsetup']);
    assert.equal(read(CONFIG), `\n${other}`);
    // The person says yes to /hooks.
    await answer(['setup', 'codex', '--trust']);
    const trusted = read(CONFIG).slice(read(CONFIG).indexOf('[hooks.state'));
    await answer(['unsetup']);
    put(CONFIG, trusted);
    await answer(['setup', 'codex', '--trust']);
    assert.equal(keys().length, 5);
    await answer(['unsetup']);
    assert.equal(read(CONFIG), trusted);
  });

  it('[A-1] another command is trusted only when that is asked for; without hooks there is no trust', async (test) => {
    const { run, read, json: answer, keys, trusted } = codexHome(test);
    await answer(['setup', 'codex', '--trust']);
    const before = trusted();
    const moved = await answer(['--workspace', 'team', 'setup', 'codex']);
    assert.equal(moved.agents[0].trusted, false);
    assert.deepEqual(keys(), [], 'it would be for hooks that are not there');
    await answer(['--workspace', 'team', 'setup', 'codex', '--trust']);
    assert.deepEqual(Object.keys(trusted()), Object.keys(before));
    assert.notDeepEqual(trusted(), before);
    const { agents } = await answer(['setup', 'codex', '--no-hooks']);
    assert.equal('trusted' in agents[0], false);
    assert.doesNotMatch(read(CONFIG), /hooks\.state/);
    for (const args of [
      ['codex', '--no-hooks', '--trust'],
      ['claude', '--trust'],
    ]) {
      const { code, stderr } = await run(['setup', ...args]);
      assert.equal(code, 2);
      assert.match(stderr, /Expected hooks of Codex with --trust/);
    }
  });

  it('[A-1] a trust that lapsed is renewed, and only said where nothing may be written', async (test) => {
    const { run, put, read, json: answer, everything } = codexHome(test);
    await answer(['setup', 'codex', '--trust']);
    const good = read(CONFIG);
    put(CONFIG, good.replaceAll(/trusted_hash = .*/g, 'trusted_hash = "sha256:old"'));
    const before = everything();
    assert.match((await run(['setup', 'codex', '--trust', '--dry-run'])).stdout, /Codex would be asked/);
    assert.deepEqual(everything(), before);
    await answer(['setup', 'codex', '--trust']);
    assert.equal(read(CONFIG), good);
  });

  for (const [mood, code, why] of [
    ['old', 5, /refuses hooks\/list: Invalid request/],
    ['dead', 5, /ended with 3 before it answered/],
    ['stubborn', 5, /Codex does not trust them even so: type \/hooks in Codex/],
  ] as const)
    it(`[A-1] a server that is ${mood}: the hooks are entered, and it is said`, async (test) => {
      const { run, read } = codexHome(test);
      const ran = await run(['setup', 'codex', '--trust'], { env: { CODEX_MOOD: mood } });
      assert.equal(ran.code, code);
      assert.match(flat(ran.stdout), why);
      assert.match(flat(ran.stdout), /✘ Codex \S+config\.toml server.* \S+hooks\.json hooks/);
      assert.match(read(HOOKS), /hook codex/);
    });

  it('[A-1] without its program it cannot be asked', async (test) => {
    const { run } = agentsHome(test, [], 'copied');
    const { code, stdout } = await run(['setup', 'codex', '--trust']);
    assert.equal(code, 3);
    assert.match(flat(stdout), /Expected Codex in PATH, found no program codex/);
  });

  it('[A-1] what a person approved for good in Codex goes with the server, and is said', async (test) => {
    const { run, put, read, json: answer, home } = codexHome(test);
    const approved = '\n[mcp_servers.precedent.tools.mama_save]\napproval_mode = "approve"\n';
    await answer(['setup', 'codex']);
    put(CONFIG, `${read(CONFIG)}${approved}`);
    const { stdout } = await run(['unsetup']);
    assert.match(
      flat(stdout),
      /mcp_servers\.precedent in \S+config\.toml is gone with what Codex had written into it: tools/,
    );
    assert(!existsSync(join(home, CONFIG)));
    await answer(['setup', 'codex']);
    put(CONFIG, `${read(CONFIG)}startup_timeout_sec = 60\n${approved}`);
    const text = read(CONFIG);
    const left = await run(['unsetup']);
    assert.match(flat(left.stdout), /changed since setup: left as it is: startup_timeout_sec/);
    assert.equal(read(CONFIG), text);
    assert(!existsSync(join(home, HOOKS)));
  });
});

describe('the server of an agent', () => {
  it('[A-1] is started by the shell where npm installed a script on Windows', () => {
    const script = "C:\\Users\\김's & co\\npm\\codex.cmd";
    assert.deepEqual(startOf(script, ['app-server'], { platform: 'win32', environment: {} }), {
      command: 'cmd.exe',
      words: ['/d', '/s', '/c', `""${script}" app-server"`],
      windowsVerbatimArguments: true,
    });
    assert.deepEqual(startOf('/usr/bin/codex', ['app-server'], { platform: 'linux', environment: {} }), {
      command: '/usr/bin/codex',
      words: ['app-server'],
    });
  });
});
