import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openMemory } from '../src/index.ts';
import { canRun, HOW_TO_RUN, primaryAndStandby } from './support/cluster.ts';
import { refuses } from './support/expect.ts';
import { query } from './support/postgres.ts';
import { until } from './support/until.ts';

const options = { timeout: 120_000, ...(!canRun && { skip: HOW_TO_RUN }) };

describe('failover', options, () => {
  it('[P-4] the primary is killed under load, the standby takes over: nothing acknowledged is lost or there twice', async (t) => {
    const { primary, standby } = await primaryAndStandby();
    const db = `postgres://postgres@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/postgres`;
    const clients = await Promise.all(Array.from({ length: 4 }, () => openMemory({ db, workspace: 'team' })));
    const acknowledged: { id: number; topic: string; at: number }[] = [];
    let wanted = Number.POSITIVE_INFINITY;
    const working = Promise.all(
      clients.map(async (memory, client) => {
        for (let n = 0; n < wanted; n++) {
          const topic = `topic ${client} ${n}`;
          await memory.mama.save({ topic, decision: `Decision ${n} of ${client}` });
          const { id } = await memory.mem.save({ title: topic, content: `content ${client} ${n}` });
          acknowledged.push({ id, topic, at: performance.now() });
          if (acknowledged.length >= wanted) return;
        }
      }),
    );
    await until(() => acknowledged.length > 20);
    const before = acknowledged.length;
    await primary.kill();
    // The clients look in vain for a while.
    await sleep(500);
    await standby.promote();
    wanted = acknowledged.length + 100;
    await working;

    const [memory] = clients as [(typeof clients)[number]];
    for (const { id, topic } of acknowledged) {
      const { results } = await memory.mama.search({ query: topic, limit: 50 });
      const found = results.filter((row) => row.topic === topic);
      assert.deepEqual(
        found.map(({ version }) => version),
        [1],
        topic,
      );
      assert.equal((await memory.mem.getObservation({ id })).duplicate_count, 0, topic);
    }
    const health = await memory.inspect();
    assert.deepEqual(health.problems, []);
    assert.equal(health.records.observation, acknowledged.length);
    const times = acknowledged.map(({ at }) => at);
    const gap = Math.max(...times.slice(1).map((at, index) => at - (times[index] ?? 0)));
    t.diagnostic(
      `${acknowledged.length} acknowledged, ${before} of them before; longest gap ${Math.round(gap)} ms`,
    );
    await Promise.all(clients.map((each) => each.close()));
  });

  it('[P-6] a standby alone is read, and says that it takes no writes', async () => {
    const { primary, standby } = await primaryAndStandby();
    const memory = await openMemory({ db: primary.url, workspace: 'team' });
    await memory.mama.save({ topic: 't', decision: 'cookies' });
    // The primary waits until the standby has a write, not until it shows it.
    const shown = 'select 1 from team.decisions';
    while ((await query(shown, [], standby.url).catch(() => [])).length === 0) await sleep(20);
    const copy = await openMemory({ db: standby.url, workspace: 'team' });
    try {
      assert.equal((await copy.mama.search({ query: 'cookies' })).total, 1);
      await refuses(
        copy.mama.save({ topic: 't', decision: 'x' }),
        'unavailable',
        'takes no writes',
        'primary',
      );
      await refuses(openMemory({ db: standby.url, workspace: 'new' }), 'unavailable', 'takes no writes');
      await primary.kill();
      const both = `postgres://postgres@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/postgres`;
      await refuses(openMemory({ db: both, workspace: 'team' }), 'unavailable');
    } finally {
      await Promise.all([memory.close(), copy.close()]);
    }
  });
});
