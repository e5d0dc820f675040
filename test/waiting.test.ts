import assert from 'node:assert/strict';
import { syncBuiltinESMExports } from 'node:module';
import { describe, it, type TestContext } from 'node:test';
import pg from 'pg';
import { stopClock } from './support/clock.ts';
import { embeddingServer } from './support/embedding-server.ts';
import { type EngineUnderTest, engines, optionsOf, postgres } from './support/engines.ts';
import { refuses } from './support/expect.ts';
import { muteModel } from './support/model.ts';
import { isWaitedFor, newDatabase, newWorkspace, SERVER } from './support/postgres.ts';
import { proxyTo } from './support/proxy.ts';
import { settle, until } from './support/until.ts';

/** How long each thing is waited for, on clocks that the tests move. One test at a time: the clocks are the process's. */

/** Timers that fire when the test says so. */
function stopTimers(test: TestContext): (milliseconds: number) => void {
  test.mock.timers.enable({ apis: ['setTimeout'] });
  return (milliseconds) => test.mock.timers.tick(milliseconds);
}

function waiting(engine: EngineUnderTest): void {
  describe(`waiting for a model on ${engine.name}`, { ...optionsOf(engine), concurrency: 1 }, () => {
    it('an embedder that never answers holds up a search for three seconds, and closing for two', async (test) => {
      const model = muteModel();
      test.after(() => model.giveUp());
      const memory = await engine.open({ embedder: model });
      const pass = stopTimers(test);
      // The pause that closing takes, too: its module sees this one only now.
      syncBuiltinESMExports();
      test.after(() => {
        test.mock.timers.reset();
        syncBuiltinESMExports();
      });
      await memory.mem.save({ title: 'one', content: 'one' });
      const searching = memory.mem.search({ query: 'one' });
      await until(() => model.signals.length === 2);
      const [saved, asked] = model.signals;
      pass(2_999);
      assert.equal(asked?.aborted, false);
      pass(1);
      assert.equal(asked?.aborted, true);
      const { results, degraded } = await searching;
      assert.equal(results.length, 1);
      assert.match(degraded ?? '', /words/);

      const closing = memory.close();
      // Its patience begins when the calls that were made before are done.
      await settle();
      pass(1_999);
      await settle();
      assert.equal(saved?.aborted, false);
      pass(1);
      await closing;
      assert.equal(saved?.aborted, true);
    });

    it('[Q-4] a model that is slow, broken, gone or of another size is waited for once: answers are degraded, never an error, until it is back', async (test) => {
      const server = await embeddingServer();
      const log: string[] = [];
      const time = { now: Date.parse('2026-10-01') };
      const memory = await engine.open({
        clock: () => time.now,
        embedder: { url: server.url, model: 'test-model', timeout: 3_600_000 },
        log: (line) => log.push(line),
      });
      // An answer that takes its time on a busy machine is no late one.
      const pass = stopTimers(test);
      const { id } = await memory.mama.save({ topic: 'auth', decision: 'Session cookies' });
      assert.equal((await memory.embed()).missing, 0);
      const faults: (() => void)[] = [
        () => Object.assign(server, { fail: { status: 500 } }),
        () => Object.assign(server, { fail: 'reset' }),
        () => Object.assign(server, { fail: [], broken: () => '<html>' }),
        () => Object.assign(server, { broken: undefined, dimensions: 7 }),
        () => Object.assign(server, { dimensions: 64, mute: true }),
      ];
      const asking = async <T>(call: Promise<T>): Promise<T> => {
        const { requests } = server;
        if (server.mute) {
          await server.asked(requests.length + 1);
          pass(3_000);
        }
        return call;
      };
      const search = () => asking(memory.mama.search({ query: 'cookies' }));
      for (const [index, fault] of faults.entries()) {
        fault();
        const { results, degraded } = await search();
        assert.match(degraded ?? '', /only words were compared/, `fault ${index}`);
        assert.equal(results[0]?.id, id);
        const said = log.length;
        const asked = server.requests.length;
        time.now += 59_999;
        // No clock moves: none of these waits.
        const again = () => memory.recall({ task: 'cookies' });
        assert.match((await again()).degraded ?? '', /asked again every minute/);
        assert.equal(server.requests.length, asked, 'for a minute it is left alone');
        for (let minute = 1; minute <= 2; minute++) {
          time.now += 60_000;
          assert.match((await again()).degraded ?? '', /asked again every minute/);
          await server.asked(asked + minute);
          assert.match((await again()).degraded ?? '', /asked again every minute/);
          pass(3_000);
          await settle();
        }
        assert.equal(log.length, said, 'it is said once');
        Object.assign(server, { fail: [], broken: undefined, dimensions: 64, mute: false });
        time.now += 60_000;
        await again();
        await until(async () => (await again()).degraded === undefined);
      }
      assert(log.length > 0 && log.every((line) => !line.includes('cookies')), 'the log holds no text');
    });
  });
}

for (const engine of engines) waiting(engine);

describe('patience with a server', { ...optionsOf(postgres), concurrency: 1 }, () => {
  it('[P-5] a server that stays away is said to, after ten seconds; when it is back, so is the memory', async (test) => {
    const url = new URL(SERVER);
    const proxy = await proxyTo(Number(url.port));
    url.port = String(proxy.port);
    const memory = await postgres.open({ db: url.href, workspace: newWorkspace() });
    const pass = stopClock(test);
    proxy.closed = true;
    proxy.cut();
    let ended = false;
    const refusal = refuses(
      memory.mama.save({ topic: 't', decision: 'd' }),
      'unavailable',
      'cannot be reached',
    );
    const saving = refusal.finally(() => {
      ended = true;
    });
    const knocksAgain = async () => {
      const before = proxy.refused;
      await until(() => ended || proxy.refused > before + 1);
      return !ended;
    };
    assert(await knocksAgain());
    pass(9_999);
    assert(await knocksAgain());
    pass(2);
    await saving;
    proxy.closed = false;
    assert.equal((await memory.mama.save({ topic: 't', decision: 'd' })).version, 1);
  });

  it('[P-3] who opens a workspace while another is made waits for it, however long that takes', async (test) => {
    const { db } = await newDatabase();
    const other = new pg.Client({ connectionString: db });
    await other.connect();
    try {
      // As a migration does, of a memory so large that it takes minutes.
      await other.query('begin');
      await other.query('select pg_advisory_xact_lock(1347568452)');
      const pass = stopTimers(test);
      const opening = postgres.open({ db });
      await until(() => isWaitedFor(other));
      pass(600_000);
      await other.query('rollback');
      const memory = await opening;
      assert.equal((await memory.mama.save({ topic: 't', decision: 'd' })).version, 1);
    } finally {
      await other.end();
    }
  });
});
