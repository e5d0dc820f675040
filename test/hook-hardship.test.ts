import assert from 'node:assert/strict';
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { openEngine } from '../src/memory/engines.ts';
import { moveClock, withClock } from './support/clock.ts';
import { hookUntil, OVER } from './support/hooking.ts';
import { isTried, portion } from './support/part.ts';
import { HOW_TO_GET_A_SERVER, holder, inside, newWorkspace, SERVER } from './support/postgres.ts';
import { type Ran, workbench } from './support/program.ts';
import { proxyTo } from './support/proxy.ts';

type Bench = ReturnType<typeof workbench>;
const SILENT = { code: 0, stdout: '', stderr: '' };
const OUT_OF_REACH = /"systemMessage":"Precedent is out of reach: .*do not conclude that nothing was decided/;
const MANY = portion(96);
/** Moments at which a hook is killed: of each two neighbours one has answered by then. */
const MOMENTS = Array.from({ length: 120 }, (_, at) => at).filter((at) => isTried(at >> 1));
const AT_ONCE = 8;

/** A memory that knows something, on a machine with a data folder. */
async function here(bench: Bench, more: Record<string, string | undefined> = {}) {
  const data = join(bench.folder, 'precedent');
  mkdirSync(data);
  const env = { XDG_DATA_HOME: bench.folder, ...more };
  await bench.succeed(['tool', 'mama_save', 'api:pagination', 'Listings of bookings use cursor pagination'], {
    env,
  });
  let events = 0;
  const event = (session: string, fields: object = {}) =>
    JSON.stringify({
      hook_event_name: 'UserPromptSubmit',
      session_id: session,
      prompt: `Which pagination do the listings of bookings use, case${++events}?`,
      ...fields,
    });
  return {
    data,
    env,
    event,
    ask: (session: string, options: { env?: Record<string, string>; under?: string[] } = {}) =>
      bench.run(['hook', 'claude'], {
        ...options,
        stdin: event(session),
        env: { ...env, ...options.env },
      }),
  };
}

function tells({ code, stdout, stderr }: Ran): void {
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
  assert.match(JSON.parse(stdout).hookSpecificOutput.additionalContext, /api:pagination/);
}

/** Runs so many, some of them at the same time. */
async function each(times: number, run: (at: number) => Promise<void>): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (next < times) await run(next++);
    }),
  );
}

function sessionsIn(data: string): Record<string, unknown>[] {
  const folder = join(data, 'hooks');
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')));
}

describe('hooks in hardship', () => {
  it('[A-2] many at once: each ends with exit code 0, and says JSON or nothing', async (test) => {
    const bench = workbench(test);
    const { ask, data, env } = await here(bench);
    let answered = 0;
    await each(MANY, async (at) => {
      const ran = await ask(`session ${at % 5}`);
      assert.deepEqual([ran.code, ran.stderr], [0, '']);
      if (ran.stdout !== '') answered += JSON.parse(ran.stdout) ? 1 : 0;
    });
    assert(answered >= 5, 'each session was answered once at least');
    assert.equal(sessionsIn(data).length, 5);
    assert.match(await bench.succeed(['doctor'], { env }), /sound/);
  });

  it('[A-2] [M-11] killed at any moment, the memory is sound and what the session remembers is whole', async (test) => {
    const bench = workbench(test);
    const { event, data, env } = await here(bench);
    await each(MOMENTS.length, async (index) => {
      const at = MOMENTS[index] as number;
      const { child, exited } = bench.start(['hook', 'claude'], { env });
      child.stdin.end(event(`session ${at % 3}`));
      // Some as soon as they have answered, which is when they record; the others somewhere before.
      if (at % 2 === 0) await Promise.race([text(child.stdout), exited]);
      else for (let turns = at * 20; turns > 0; turns--) await new Promise(setImmediate);
      child.kill('SIGKILL');
      await exited;
    });
    assert.match(await bench.succeed(['doctor'], { env }), /sound/);
    for (const session of sessionsIn(data)) assert.equal(typeof session.said, 'object');
    tells(await bench.run(['hook', 'claude'], { stdin: event('another'), env }));
  });

  it('[A-2] standard input that is never closed is read as soon as it is whole, or until the deadline', async (test) => {
    const bench = workbench(test, 'here');
    const { event, env } = await here(bench);
    for (const [said, answer] of [
      [event('open'), /api:pagination/],
      [`${event('open again')}\n`, /api:pagination/],
      ['', /^$/],
      ['{"hook_event_name":', /^$/],
    ] as const) {
      const clock = join(bench.folder, `clock${said.length}`);
      const { child, exited } = bench.start(['hook', 'claude'], {
        env: { ...env, NODE_OPTIONS: withClock(clock) },
      });
      child.stdin.write(said);
      // What is whole is answered while no time passes.
      if (answer.test('')) moveClock(clock, OVER);
      const [code, stdout, stderr] = await Promise.all([exited, text(child.stdout), text(child.stderr)]);
      assert.deepEqual([code, stderr], [0, ''], said);
      assert.match(stdout, answer, said);
    }
  });

  it('[A-2] what is no event, or too much of one, is answered by silence', async (test) => {
    const bench = workbench(test, 'here');
    const { env } = await here(bench);
    const name = 'UserPromptSubmit';
    for (const stdin of [
      '',
      ' \n',
      Buffer.from('ff00fe80c0', 'hex'),
      `${JSON.stringify({ hook_event_name: name, session_id: 'a', prompt: '' }).slice(0, -2)}${'pagination '.repeat(480_000)}"}`,
      JSON.stringify([{ hook_event_name: name, prompt: 'pagination' }]),
      JSON.stringify({ hook_event_name: [name], prompt: { text: 'pagination' } }),
      JSON.stringify({ hook_event_name: name, session_id: 7, cwd: {}, prompt: ['pagination'] }),
      JSON.stringify({ event: name, data: { prompt: 'pagination' } }),
      '"UserPromptSubmit"',
      '0',
    ])
      assert.deepEqual(
        await bench.run(['hook', 'claude'], { stdin, env }),
        SILENT,
        String(stdin).slice(0, 80),
      );
  });

  it('[A-2] a memory that somebody writes to answers all the same', async (test) => {
    const bench = workbench(test, 'here');
    const { ask, data } = await here(bench);
    const writer = new DatabaseSync(bench.db);
    writer.exec('begin immediate');
    try {
      tells(await ask('busy'));
      assert.deepEqual(
        sessionsIn(data).map(({ dropped }) => dropped),
        [1],
      );
    } finally {
      writer.close();
    }
  });

  it('[A-2] a data folder or a memory that cannot be written is no reason to speak of it', async (test) => {
    const bench = workbench(test, 'here');
    const { ask, data, event, env } = await here(bench);
    const frozen = join(bench.folder, 'frozen');
    mkdirSync(frozen);
    cpSync(bench.db, join(frozen, 'memory.db'));
    const closed = [frozen, join(frozen, 'memory.db'), data];
    // Root may write anywhere: such a machine runs it as another account.
    const isRoot = userInfo().uid === 0;
    const under = isRoot ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] : [];
    if (isRoot) for (const path of [bench.folder, bench.db]) chmodSync(path, 0o777);
    for (const path of closed) chmodSync(path, 0o555);
    try {
      for (const db of [bench.db, join(frozen, 'memory.db')]) {
        const stdin = event(`closed ${db}`);
        const ran = await bench.run(['hook', 'claude'], { stdin, env: { ...env, PRECEDENT_DB: db }, under });
        assert.deepEqual([ran.code, ran.stderr], [0, ''], db);
        if (ran.stdout !== '') tells(ran);
      }
    } finally {
      for (const path of closed) chmodSync(path, 0o755);
    }
    tells(await ask('open'));
  });
});

describe('hooks and a server', { skip: SERVER === '' && HOW_TO_GET_A_SERVER }, () => {
  it('[A-2] [T-12] answer from it, and say so when it is gone, mute or slow', async (test) => {
    const bench = workbench(test);
    const proxy = await proxyTo(Number(new URL(SERVER).port || 5432));
    const address = new URL(SERVER);
    address.hostname = '127.0.0.1';
    address.port = String(proxy.port);
    const workspace = newWorkspace();
    const { ask, event, env } = await here(bench, {
      PRECEDENT_DB: address.href,
      PRECEDENT_WORKSPACE: workspace,
    });
    tells(await ask('there'));
    // It lets nobody in for as long as the hook lives.
    const admission = Promise.withResolvers<void>();
    proxy.admission = admission.promise;
    const slow = await hookUntil(bench, { stdin: event('slow'), env }, () => proxy.waiting > 0);
    assert.equal(slow.code, 0);
    assert.match(slow.stdout, OUT_OF_REACH);
    admission.resolve();
    proxy.closed = true;
    const gone = await hookUntil(bench, { stdin: event('gone'), env }, () => proxy.refused > 0);
    assert.match(gone.stdout, OUT_OF_REACH);
    proxy.closed = false;
    tells(await ask('back'));
  });

  it('[A-2] [M-11] a writer that holds the turn keeps no answer back', async (test) => {
    const bench = workbench(test);
    const workspace = newWorkspace();
    const { ask } = await here(bench, { PRECEDENT_DB: SERVER, PRECEDENT_WORKSPACE: workspace });
    const turn = "begin; select 1 from meta where key = 'writer' for update";
    const writer = await holder(SERVER, ...inside(workspace), turn);
    try {
      tells(await ask('busy'));
    } finally {
      await writer.end();
    }
    const engine = await openEngine(SERVER, workspace, () => {}, { isHurried: true });
    try {
      const { rows } = await engine.transaction({ access: 'write', patience: 'usual' }, (db) =>
        sql<{ wait: string }>`select current_setting('lock_timeout') as wait`.execute(db),
      );
      assert.equal(rows[0]?.wait, '1ms', 'what is recorded waits for nobody');
    } finally {
      await engine.close();
    }
  });
});

describe('hooks and what is no server', () => {
  it('[A-2] [T-12] a server that accepts and never answers is left at the deadline, and that is said', async (test) => {
    const bench = workbench(test, 'here');
    const { event, env } = await here(bench);
    let asked = 0;
    const mute = createServer((socket) => {
      asked++;
      socket.on('error', () => {});
    });
    await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve));
    test.after(() => mute.close());
    const { port } = mute.address() as { port: number };
    const { code, stdout } = await hookUntil(
      bench,
      { stdin: event('mute'), env: { ...env, PRECEDENT_DB: `postgres://127.0.0.1:${port}/x` } },
      () => asked > 0,
    );
    assert.equal(code, 0);
    assert.match(stdout, OUT_OF_REACH);
  });
});
