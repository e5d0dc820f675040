import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { runIn } from '../src/files/surroundings.ts';
import { openMemory } from '../src/index.ts';
import { refuses } from './support/expect.ts';
import { workbench } from './support/program.ts';
import { until } from './support/until.ts';

const HERE = { PRECEDENT_DB: undefined, PRECEDENT_WORKSPACE: undefined };
const OFF =
  /^precedent: Precedent is off on this machine .*"precedent on" in that folder turns it on again\.\n/;
/** What is no memory: whoever reads it says something else than that it is off. */
const TRIPWIRE = 'Whoever reads this fell over it.';
const PROMPT = 'Which pagination do the listings of bookings use?';
const WATCHED = spawnSync('strace', ['-V']).status === 0 ? {} : { skip: 'no strace: apt-get install strace' };

type Bench = ReturnType<typeof workbench>;

/** A repository with a memory that knows something about {@link PROMPT}. */
async function repository(bench: Bench) {
  const cwd = join(bench.folder, 'shop');
  execFileSync('git', ['init', '-q', cwd]);
  const data = join(bench.folder, 'data', 'precedent');
  const env = { ...HERE, XDG_DATA_HOME: join(bench.folder, 'data') };
  await bench.succeed(['decide', 'api:pagination', 'Listings of bookings use cursor pagination'], {
    cwd,
    env,
  });
  const [name = ''] = readdirSync(data).filter((each) => each.endsWith('.db'));
  return { cwd, data, env, workspace: name.replace(/\.db$/, ''), file: join(data, name) };
}

/** The files of memories and what is in them; the registry is not one. */
const filesOf = (data: string) =>
  readdirSync(data)
    .filter((name) => /\.db/.test(name))
    .map((name) => [name, readFileSync(join(data, name)).toString('latin1').slice(0, 200)]);

const START = (cwd: string) =>
  JSON.stringify({ session_id: '1', cwd, hook_event_name: 'SessionStart', source: 'startup' });
const ASK = (cwd: string) =>
  JSON.stringify({ session_id: '2', cwd, hook_event_name: 'UserPromptSubmit', prompt: PROMPT });
const OVERRIDE = (cwd: string) =>
  JSON.stringify({
    session_id: '3',
    cwd,
    hook_event_name: 'PreToolUse',
    tool_name: 'mcp__precedent__mama_save',
    tool_input: { topic: 'a:b', decision: 'x', replaces: 'a:b' },
  });

describe('precedent off', () => {
  it('[V-6] every command that reads or saves refuses, and looks at no memory; on again, all is there', async (test) => {
    const bench = workbench(test, 'here');
    const { cwd, env, data, file, workspace } = await repository(bench);
    const elsewhere = join(bench.folder, 'elsewhere');
    writeFileSync(
      join(bench.folder, 'exported'),
      await bench.succeed(['export', '--format', 'jsonl'], { cwd, env }),
    );
    mkdirSync(elsewhere);
    assert.match(await bench.succeed(['off'], { cwd, env }), /off here: nothing is read or saved/);
    assert.match(await bench.succeed(['off'], { cwd, env }), /was off already/);
    assert.deepEqual(JSON.parse(await bench.succeed(['off', '--json'], { cwd, env })), {
      off: true,
      changed: false,
      workspace,
    });
    renameSync(file, join(bench.folder, 'kept'));
    writeFileSync(file, TRIPWIRE);
    const before = filesOf(data);
    const commands = [
      ['search', 'pagination'],
      ['why', 'api:pagination'],
      ['list'],
      ['log'],
      ['recall', '페이지 나누기'],
      ['decide', 'api:pagination', 'Offsets'],
      ['note', 'T', 'x'],
      ['undo'],
      ['review', '--markdown'],
      ['list', 'sessions'],
      ['export', '--format', 'jsonl'],
      ['backup', join(bench.folder, 'backup.db')],
      ['--db', join(bench.folder, 'copy.db'), 'import', file],
      ['import', '-'],
      ['redact', 'pagination'],
      ['tool', 'mem_stats'],
      ['import', join(bench.folder, 'exported')],
    ];
    for (const words of commands) {
      const { code, stdout, stderr } = await bench.run(words, { cwd, env });
      assert.deepEqual([code, stdout], [5, ''], words.join(' '));
      assert.match(stderr, OFF, words.join(' '));
    }
    // Whatever memory is named there, and this memory from anywhere.
    const other = join(bench.folder, 'other.db');
    assert.match((await bench.run(['--db', other, 'note', 'T', 'x'], { cwd, env })).stderr, OFF);
    for (const named of [
      ['--db', file, 'list'],
      ['--workspace', workspace, 'decide', 'a:b', 'x'],
      ['workspaces', 'join', workspace],
      ['workspaces', 'rename', workspace, 'b'],
      ['workspaces', 'remove', workspace, '--yes'],
    ])
      assert.match((await bench.run(named, { cwd: elsewhere, env })).stderr, OFF, named.join(' '));
    assert.match(await bench.succeed(['doctor'], { cwd, env }), /off here.*"precedent on" turns it on/);
    assert.match(await bench.succeed(['workspaces'], { cwd, env }), /it is off on this machine/);
    const { stdin, stdout, stderr } = process;
    const library = () => openMemory({ db: file, create: false });
    await refuses(
      runIn({ env, cwd: () => elsewhere, stdin, stdout, stderr }, library),
      'unavailable',
      'is off',
    );
    assert.deepEqual(filesOf(data), before);
    renameSync(join(bench.folder, 'kept'), file);

    await bench.succeed(['on'], { cwd, env });
    assert.match(await bench.succeed(['list'], { cwd, env }), /api:pagination/);
    assert.match(await bench.succeed(['doctor'], { cwd, env }), /sound/);
    assert.match(await bench.succeed(['on'], { cwd, env }), /was on already/);

    await bench.succeed(['off', '--everywhere'], { cwd: elsewhere, env });
    for (const at of [['list'], ['--db', other, 'note', 'T', 'x']])
      assert.match((await bench.run(at, { cwd, env })).stderr, /"precedent on --everywhere" in that folder/);
    assert.match(await bench.succeed(['workspaces'], { cwd, env }), /it is off on this machine/);
    assert.match(
      await bench.succeed(['doctor'], { cwd, env }),
      /off here.*"precedent on --everywhere" turns it/,
    );
    assert.match(await bench.succeed(['on'], { cwd, env }), /off everywhere/);
    assert.match((await bench.run(['list'], { cwd, env })).stderr, /is off/);
    await bench.succeed(['on', '--everywhere'], { cwd, env });
    assert.match(await bench.succeed(['list'], { cwd, env }), /api:pagination/);
  });

  it('[V-6] hooks are silent, and neither they nor a command opens the file', WATCHED, async (test) => {
    const bench = workbench(test);
    const { cwd, env, file } = await repository(bench);
    const log = join(bench.folder, 'calls');
    const opened = async (args: string[], stdin = '') => {
      const under = ['strace', '-f', '-qq', '-s', '400', '-e', 'trace=%file', '-o', log];
      const ran = await bench.run(args, { cwd, env, stdin, under });
      return { ...ran, isRead: readFileSync(log, 'utf8').includes(file) };
    };
    const hook = ['hook', 'claude'];
    assert.equal((await opened(hook, ASK(cwd))).isRead, true, 'it is read while it is on');
    await bench.succeed(['off'], { cwd, env });
    for (const event of [START(cwd), ASK(cwd), OVERRIDE(cwd)]) {
      const { code, stdout, stderr, isRead } = await opened(hook, event);
      assert.deepEqual([code, stdout, stderr, isRead], [0, '', '', false], event);
    }
    const server = ['hook', 'claude', '--url', 'http://127.0.0.1:1'];
    assert.equal((await opened(server, START(cwd))).stdout, '');
    assert.equal((await opened(['search', 'pagination'])).isRead, false);
    assert.equal((await opened(['doctor'])).isRead, false);
    await bench.succeed(['on'], { cwd, env });
    assert.match((await opened(hook, OVERRIDE(cwd))).stdout, /overrides/);
  });

  it('[V-6] servers refuse, also those that run already, until it is on again', async (test) => {
    const bench = workbench(test);
    const { cwd, env, data, workspace } = await repository(bench);
    const { child } = bench.start(['serve', '--port', '0', '--no-auth'], { env });
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      said += text;
    });
    await until(() => /listens at (\S+)/.test(said));
    const [, url] = /listens at (\S+)/.exec(said) ?? [];
    const api = async (tool: string, input: object) => {
      const response = await fetch(`${url}/api/v1/${workspace}/${tool}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(input),
      });
      return JSON.stringify(await response.json());
    };
    const agent = await bench.connect({ cwd, env });
    assert.match(await api('mama_search', { query: 'pagination' }), /api:pagination/);
    assert.match(JSON.stringify(await agent.call('mama_search', { query: 'pagination' })), /api:pagination/);

    await bench.succeed(['off'], { cwd, env });
    const late = await bench.connect({ cwd, env });
    const saved = { topic: 'api:pagination', decision: 'Offsets' };
    for (const { refusal } of [agent, late]) {
      assert.match(await refusal('mama_search', { query: 'pagination' }), /Precedent is off/);
      assert.match(
        await refusal('mama_save', { type: 'decision', reasoning: 'r', ...saved }),
        /Precedent is off/,
      );
    }
    assert.match(await api('mama_search', { query: 'pagination' }), /Precedent is off/);
    assert.match(await api('mama_save', { type: 'decision', reasoning: 'r', ...saved }), /Precedent is off/);
    // They let go of the file, which may tidy it up; after the last one nobody has it.
    assert(!readdirSync(data).some((name) => name.endsWith('-shm')));

    await bench.succeed(['on'], { cwd, env });
    assert.match(await api('mama_search', { query: 'pagination' }), /api:pagination/);
    assert.doesNotMatch(await bench.succeed(['log'], { cwd, env }), /Offsets/);
    for (const { call } of [agent, late])
      assert.match(JSON.stringify(await call('mama_search', { query: 'pagination' })), /api:pagination/);
  });
});
