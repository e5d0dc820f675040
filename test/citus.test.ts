import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { type Memory, openMemory } from '../src/index.ts';
import { stopClock } from './support/clock.ts';
import { citus, optionsOf } from './support/engines.ts';
import { refuses } from './support/expect.ts';
import { CITUS, newWorkspace, query } from './support/postgres.ts';
import { type Proxy as Between, proxyTo } from './support/proxy.ts';
import { generator } from './support/random.ts';

/** How many workspaces there are in the test of many. */
const MANY = process.env.PRECEDENT_TEST_DEEP === '1' ? 2_000 : 50;

const ask = (text: string, values: unknown[] = []) => query(text, values, CITUS);
const workers = () => ask('select nodeid, nodeport from pg_dist_node where groupid <> 0 order by nodeid');
const addressOf = (port: number) => Object.assign(new URL(CITUS), { port: String(port) }).href;

/** Has the coordinator reach a node by another port, and the nodes learn of it, without which no workspace is made. */
async function move(node: number, port: number): Promise<void> {
  await ask('select citus_update_node($1, $2, $3)', [node, '127.0.0.1', port]);
  await ask('select start_metadata_sync_to_all_nodes()');
}

/** A new memory on a cluster whose coordinator reaches each worker by way of a proxy. */
async function behindProxies(work: (memory: Memory, proxies: Between[]) => Promise<void>): Promise<void> {
  const nodes = await workers();
  const proxies: Between[] = [];
  const memory = await openMemory({ db: CITUS, workspace: newWorkspace() });
  try {
    for (const { nodeid, nodeport } of nodes) {
      const proxy = await proxyTo(nodeport);
      proxies.push(proxy);
      await move(nodeid, proxy.port);
    }
    await work(memory, proxies);
  } finally {
    for (const proxy of proxies) proxy.cutAfter = undefined;
    for (const { nodeid, nodeport } of nodes) await move(nodeid, nodeport);
    await memory.close();
  }
}

describe('a cluster of Citus', { ...optionsOf(citus), concurrency: 1 }, () => {
  it('[P-5] a node that is cut off around a commit is asked again: the save is made once', async (test) => {
    if ((await workers()).length === 0) return test.skip('the coordinator holds the workspaces itself');
    await behindProxies(async (memory, proxies) => {
      let saved = 0;
      for (const how of ['cut before', 'cut after', 'cut before', 'cut after'] as const) {
        for (const proxy of proxies) proxy.next = how;
        const { id } = await memory.mem.save({ title: how, content: `saved in spite of it, ${saved}` });
        assert.equal(proxies.filter(({ next }) => next === 'pass').length, 1, 'one node took the commit');
        for (const proxy of proxies) proxy.next = 'pass';
        assert.equal((await memory.mem.getObservation({ id })).duplicate_count, 0);
        assert.equal((await memory.inspect()).records.observation, ++saved);
      }
      assert.deepEqual((await memory.inspect()).problems, []);
    });
  });

  it('[P-5] nodes cut off at any moment under load: what was acknowledged is there once', async (test) => {
    if ((await workers()).length === 0) return test.skip('the coordinator holds the workspaces itself');
    await behindProxies(async (memory, proxies) => {
      stopClock(test);
      const random = generator(12);
      for (const proxy of proxies) proxy.cutAfter = () => 1 + Math.floor(random() * 200);
      const acknowledged: number[] = [];
      await Promise.all(
        Array.from({ length: 4 }, async (_, client) => {
          for (let n = 0; n < 20; n++) {
            const { id } = await memory.mem.save({ title: `note ${client}`, content: `${client} ${n}` });
            acknowledged.push(id);
          }
        }),
      );
      for (const proxy of proxies) proxy.cutAfter = undefined;
      const cuts = proxies.reduce((sum, proxy) => sum + proxy.cuts, 0);
      assert(cuts > 10, `${cuts} cuts`);
      assert.equal(new Set(acknowledged).size, 80);
      for (const id of acknowledged)
        assert.equal((await memory.mem.getObservation({ id })).duplicate_count, 0);
      const { records, problems } = await memory.inspect();
      assert.equal(records.observation, 80);
      assert.deepEqual(problems, []);
    });
  });

  it('[P-7] a worker is refused as an address, and passed over beside the coordinator', async (test) => {
    const [worker] = await workers();
    if (!worker) return test.skip('the coordinator is the only node');
    const workspace = newWorkspace();
    const memory = await openMemory({ db: CITUS, workspace });
    await memory.mem.save({ title: 'one', content: 'on the coordinator' });
    await refuses(
      openMemory({ db: addressOf(worker.nodeport), workspace }),
      'unavailable',
      'found one of its workers',
    );
    const { host, pathname, username } = new URL(CITUS);
    const both = `postgres://${username}@127.0.0.1:${worker.nodeport},${host}${pathname}`;
    const beside = await openMemory({ db: both, workspace });
    assert.equal((await beside.mem.save({ title: 'two', content: 'beside it' })).id, 2);
    await Promise.all([memory.close(), beside.close()]);
  });

  it('[N-3] workspaces are made, opened, searched, and moved to another node while they are written', async (test) => {
    const nodes = await workers();
    if (nodes.length < 2) return test.skip('there is no node to move to');
    const prefix = newWorkspace();
    const open = (n: number) => openMemory({ db: CITUS, workspace: `${prefix}-${n}` });
    for (let n = 0; n < MANY; n++) {
      const memory = await open(n);
      await memory.mem.save({ title: 'Queue', content: `Retry with backoff, ${n}` });
      await memory.close();
    }
    const of = "select id from precedent.workspaces where name like $1 || '-%'";
    const shards = await ask(
      `select nodeport as port, count(*)::integer as workspaces from (${of}) as w
      join citus_shards as s on s.shardid = get_shard_id_for_distribution_column('precedent.all_records', w.id)
      group by nodeport`,
      [prefix],
    );
    assert(shards.length >= 2, 'they are on several nodes');
    for (let n = 0; n < 20; n++) {
      const memory = await open((n * 7_919) % MANY);
      const { results, total } = await memory.mem.search({ query: 'backoff' });
      assert.deepEqual([total, results[0]?.id], [1, 1]);
      await memory.close();
    }
    const [{ shard, port }] = await ask(
      `select s.shardid as shard, s.nodeport as port from citus_shards as s
      where s.shardid = get_shard_id_for_distribution_column('precedent.all_records',
        (select id from precedent.workspaces where name = $1))`,
      [`${prefix}-0`],
    );
    // The node that has the fewest: one that was just added has none.
    const [target] = await ask(
      `select nodeport as port from pg_dist_node where groupid <> 0 and nodeport <> $1
      order by (select count(*) from citus_shards as s where s.nodeport = pg_dist_node.nodeport), nodeid`,
      [port],
    );
    const memories = await Promise.all([open(0), open(0), open(1), open(2)]);
    const saved = memories.map((): number[] => []);
    let isMoved = false;
    const writing = memories.map(async (memory, writer) => {
      for (let n = 0; !isMoved || n < 5; n++)
        saved[writer]?.push((await memory.mem.save({ title: `${writer}`, content: `${writer} ${n}` })).id);
    });
    try {
      await ask("select citus_move_shard_placement($1, '127.0.0.1', $2, '127.0.0.1', $3, 'block_writes')", [
        shard,
        port,
        target?.port,
      ]);
    } finally {
      isMoved = true;
      await Promise.allSettled(writing);
    }
    await Promise.all(writing);
    const [own = [], also = [], ...others] = saved;
    for (const [memory, ids] of [
      [memories[0], [...own, ...also]],
      [memories[2], others[0]],
      [memories[3], others[1]],
    ] as const) {
      assert.deepEqual(
        ids?.toSorted((a, b) => a - b),
        Array.from(ids ?? [], (_, n) => n + 2),
        'none is lost or doubled',
      );
      const inspected = await memory?.inspect();
      assert.equal(inspected?.records.observation, (ids?.length ?? 0) + 1);
      assert.deepEqual(inspected?.problems, []);
    }
    const [now] = await ask('select nodeport as port from citus_shards where shardid = $1', [shard]);
    assert.equal(now.port, target?.port);
    await Promise.all(memories.map((memory) => memory.close()));
    return undefined;
  });

  it('[P-7] the size of a workspace is that on its node', async () => {
    const memory = await openMemory({ db: CITUS, workspace: newWorkspace() });
    const { bytes: empty } = await memory.inspect();
    // What cannot be compressed.
    for (let n = 0; n < 10; n++)
      await memory.mem.save({ title: `note ${n}`, content: randomBytes(20_000).toString('hex') });
    const { bytes } = await memory.inspect();
    assert(bytes > empty + 200_000, `${empty} bytes, then ${bytes}`);
    await memory.close();
  });
});
