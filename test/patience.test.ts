import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { sql } from 'kysely';
import pg from 'pg';
import { embedMissing } from '../src/memory/embed.ts';
import { openEngine, withWorkspaces } from '../src/memory/engines.ts';
import { maintenanceOf } from '../src/memory/maintenance.ts';
import { run } from '../src/memory/run.ts';
import { operations } from '../src/operations/index.ts';
import type { Engine, Patience } from '../src/store/engine.ts';
import { openPostgres } from '../src/store/postgres/engine.ts';
import { refreshIndex } from '../src/store/search/reindex.ts';
import { Store } from '../src/store/store.ts';
import { optionsOf, postgres } from './support/engines.ts';
import { newWorkspace, query, SERVER } from './support/postgres.ts';
import { until } from './support/until.ts';

const AUTHOR = { author: '', host: '', client: 'test', session: 's' };
/** Stops the timers that the product starts from here on; the test fires them itself. */
const stopTimers = (t: TestContext) => t.mock.timers.enable({ apis: ['setTimeout'] });
const ignore = () => {};

describe('work on the whole memory', () => {
  it('is unhurried, however it begins; an operation is not', async () => {
    const engine = await openEngine(':memory:', 'test', ignore);
    const seen = new Set<Patience>();
    const store = new Store({
      engine: {
        ...engine,
        transaction: (terms, work) => {
          seen.add(terms.patience);
          return engine.transaction(terms, work);
        },
      },
      workspace: 'test',
      clock: () => 0,
      newId: () => crypto.randomUUID(),
      log: ignore,
    });
    const patienceOf = async (work: () => Promise<unknown>) => {
      seen.clear();
      await work();
      return [...seen];
    };
    await store.write(AUTHOR, refreshIndex);
    const call = (name: string, input: object) => {
      const operation = operations.find((each) => each.name === name);
      assert(operation, name);
      return run({ store, embedder: undefined, log: ignore, written: ignore }, operation, input, AUTHOR);
    };
    assert.deepEqual(await patienceOf(() => call('mama_save', { topic: 't', decision: 'Cookies' })), [
      'usual',
    ]);
    assert.deepEqual(await patienceOf(() => call('mama_search', { query: 'cookies' })), ['usual']);

    const {
      inspect,
      repair,
      export: exportMemory,
      import: importLines,
    } = maintenanceOf(store, AUTHOR, ignore);
    const lines: string[] = [];
    const writeOut = () => exportMemory('jsonl', (line) => lines.push(line));
    assert.deepEqual(await patienceOf(writeOut), ['unhurried']);
    assert.deepEqual(await patienceOf(() => exportMemory('cypher', ignore)), ['unhurried']);
    assert.deepEqual(await patienceOf(() => importLines(lines, ignore, { replace: true })), ['unhurried']);
    assert.deepEqual(await patienceOf(repair), ['unhurried']);
    // The row that proves that writing works is written as any other.
    assert.deepEqual(await patienceOf(inspect), ['usual', 'unhurried']);
    const embedder = { model: 'm', embed: async (texts: string[]) => texts.map(() => Float32Array.of(1, 0)) };
    // Each batch of vectors is kept as any other record.
    assert.deepEqual(await patienceOf(() => embedMissing(store, embedder, AUTHOR)), ['unhurried', 'usual']);
    await store.close();
  });
});

describe('a statement that takes longer than a server may be silent', {
  ...optionsOf(postgres),
  concurrency: 1,
}, () => {
  /** A lock that the test holds on the server, for a statement to wait for as long as the test likes. */
  async function held(t: TestContext, ...statements: string[]) {
    const client = new pg.Client({ connectionString: SERVER });
    await client.connect();
    t.after(() => client.end());
    for (const statement of ['begin', ...statements]) await client.query(statement);
    const { rows } = await client.query('select pg_backend_pid() as pid');
    return {
      release: () => client.query('commit'),
      /** Until somebody waits for it: then half a minute and more has passed for our side. */
      async untilOverdue() {
        const waiting = 'select 1 from pg_locks where not granted and $1 = any(pg_blocking_pids(pid))';
        await until(async () => (await query(waiting, [rows[0].pid])).length > 0);
        t.mock.timers.tick(31_000);
      },
    };
  }

  /** Whether a promise has settled once all that was about to happen has happened. */
  async function isPending(promise: Promise<unknown>): Promise<boolean> {
    let isSettled = false;
    const settle = () => {
      isSettled = true;
    };
    promise.then(settle, settle);
    // A way to the server and back: whatever was given up is known by then.
    await query('select 1');
    return !isSettled;
  }

  const waitFor = (engine: Engine, patience: Patience, key: number) =>
    engine.transaction({ access: 'read', patience }, (db) =>
      sql`select count(*) from (select pg_advisory_xact_lock(${key}::bigint)) as waited`.execute(db),
    );

  it('[P-6] is given up in a usual transaction, which says that the server is lost', async (t) => {
    const engine = await openPostgres(SERVER, newWorkspace(), ignore);
    t.after(() => engine.close());
    const lock = await held(t, 'select pg_advisory_xact_lock(71)');
    stopTimers(t);
    const waiting = waitFor(engine, 'usual', 71);
    const failure = assert.rejects(waiting, (error) => engine.fault(error).kind === 'lost');
    await lock.untilOverdue();
    await failure;
    await lock.release();
  });

  it('[P-6] is waited for in an unhurried one, when the disk is scrubbed, and when a workspace is removed', async (t) => {
    const workspace = newWorkspace();
    const engine = await openPostgres(SERVER, workspace, ignore);
    t.after(() => engine.close());
    stopTimers(t);
    const cases: [string, () => Promise<unknown>][] = [
      ['select pg_advisory_xact_lock(72)', () => waitFor(engine, 'unhurried', 72)],
      ['lock table precedent.all_records in share update exclusive mode', () => engine.scrub()],
      [
        `select 1 from precedent.all_search_totals
          where workspace = (select id from precedent.workspaces where name = '${workspace}') for update`,
        () => withWorkspaces(SERVER, ignore, (there) => there.remove(workspace)),
      ],
    ];
    for (const [statement, work] of cases) {
      const lock = await held(t, statement);
      const working = work();
      await lock.untilOverdue();
      assert(await isPending(working), statement);
      await lock.release();
      await working;
    }
  });
});
