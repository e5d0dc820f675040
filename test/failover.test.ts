import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openMemory } from '../src/index.ts';
import { stopClock } from './support/clock.ts';
import { canRun, HOW_TO_RUN, primaryAndStandby } from './support/cluster.ts';
import { refuses } from './support/expect.ts';
import { query } from './support/postgres.ts';
import { until } from './support/until.ts';

describe('failover', { skip: !canRun && HOW_TO_RUN }, () => {
  it('[P-4] the primary is killed under load, the standby takes over: nothing acknowledged is lost or there twice', async (test) => {
    const { primary, standby } = await primaryAndStandby();
    const db = `postgres://postgres@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/postgres`;
    const clients = await Promise.all(Array.from({ length: 4 }, () => openMemory({ db, workspace: 'team' })));
    // How fast a standby takes over is the machine's business: the clients' ten seconds do not run out meanwhile.
    stopClock(test);
    const acknowledged: { id: number; topic: string }[] = [];
    let wanted = Number.POSITIVE_INFINITY;
    const working = Promise.all(
      clients.map(async (memory, client) => {
        for (let n = 0; n < wanted; n++) {
          const topic = `topic ${client} ${n}`;
          await memory.mama.save({ topic, decision: `Decision ${n} of ${client}` });
          const { id } = await memory.mem.save({ title: topic, content: `content ${client} ${n}` });
          acknowledged.push({ id, topic });
          if (acknowledged.length >= wanted) return;
        }
      }),
    );
    await until(() => acknowledged.length > 20);
    await primary.kill();
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
    await Promise.all(clients.map((each) => each.close()));
  });

  it('[P-6] a standby alone is read, and says that it takes no writes', async () => {
    const { primary, standby } = await primaryAndStandby();
    const memory = await openMemory({ db: primary.url, workspace: 'team' });
    await memory.mama.save({ topic: 't', decision: 'cookies' });
    // The primary waits until the standby has a write, not until it shows it.
    const shown = 'select 1 from precedent.all_decisions';
    await until(async () => (await query(shown, [], standby.url).catch(() => [])).length);
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
