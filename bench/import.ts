import { fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { openEngine } from '../src/memory/engines.ts';
import { merge } from '../src/store/merge/merge.ts';
import { Store } from '../src/store/store.ts';
import { manyFacts } from '../test/support/many-facts.ts';
import type { Order, Report } from '../test/support/saver.ts';
import { machine, print } from './measure.ts';

/**
 * An import from another tool into an empty memory, and again: how long it takes, how long others have to wait, and what
 * becomes of a process that saves all the while.
 *
 *   [PRECEDENT_BENCH_POSTGRES=postgres://…] node bench/import.ts [records, default 100000]
 */
const records = Number(process.argv[2] ?? 100_000);
const WRITER = { author: '', host: '', client: 'bench', session: 'bench' };
const UNHURRIED = { patience: 'unhurried' } as const;
const WORKSPACE = 'bench-import';
const address = process.env.PRECEDENT_BENCH_POSTGRES;

const folder = mkdtempSync(join(tmpdir(), 'precedent-bench-'));
try {
  machine();
  print(`\nAn import of ${records} records; seconds, and of the processor in brackets\n`);
  print('| engine | what | whole | while others wait | saves beside it | failed | longest save |');
  print('|---|---|---|---|---|---|---|');
  await measure('SQLite', join(folder, 'memory.db'));
  if (address !== undefined) {
    await measure('PostgreSQL', address);
    const client = new pg.Client({ connectionString: address });
    await client.connect();
    await client.query(`drop schema if exists precedent cascade`);
    await client.end();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function measure(name: string, db: string): Promise<void> {
  const engine = await openEngine(db, WORKSPACE, () => {});
  const store = new Store({
    engine,
    workspace: WORKSPACE,
    clock: Date.now,
    newId: () => crypto.randomUUID(),
    log: () => {},
  });
  const facts = manyFacts(records);
  for (const what of ['first', 'again']) {
    // The saver of the tests knows files alone.
    const saver = name === 'SQLite' ? await savingInto(db) : undefined;
    let waiting = '';
    const whole = await timed(() =>
      merge(
        {
          read: (work) => store.read(WRITER, work, UNHURRIED),
          async write(work) {
            let result: { of: Awaited<ReturnType<typeof work>> } | undefined;
            waiting = await timed(async () => {
              result = { of: await store.write(WRITER, work, UNHURRIED) };
            });
            return (result as { of: Awaited<ReturnType<typeof work>> }).of;
          },
        },
        facts,
      ),
    );
    const saved = await saver?.end();
    const beside = saved
      ? [saved.count, saved.failed, `${(saved.longest / 1000).toFixed(1)} s`]
      : ['–', '–', '–'];
    print(`| ${[name, what, whole, waiting, ...beside].join(' | ')} |`);
  }
  await store.close();
}

async function timed(work: () => Promise<unknown>): Promise<string> {
  const [started, cpu] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(cpu);
  return `${((performance.now() - started) / 1000).toFixed(1)} (${((user + system) / 1e6).toFixed(1)})`;
}

/** A process that saves, one after the other, until it is told to end. */
async function savingInto(db: string) {
  const child = fork('test/support/saver.ts');
  const result = { count: 0, failed: 0, longest: 0 };
  let isEnding = false;
  let begin = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const ended = new Promise<void>((end) => {
    let started = performance.now();
    const next = () => {
      started = performance.now();
      const order: Order = { id: result.count, db, text: `saved beside ${result.count}`, lasting: true };
      child.send(order);
    };
    child.on('message', ({ saved }: Report) => {
      // The first one starts the process.
      begin();
      if (result.count++ === 0) return void setTimeout(next, 20);
      if (!saved) result.failed++;
      result.longest = Math.max(result.longest, performance.now() - started);
      if (isEnding) end();
      else setTimeout(next, 20);
    });
    next();
  });
  await begun;
  return {
    async end() {
      isEnding = true;
      await ended;
      child.kill();
      return result;
    },
  };
}
