import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { forModel, type Memory } from '../../src/index.ts';
import type { EngineUnderTest } from '../support/engines.ts';

const QUESTION = 'Redis failover takes seconds 장애 복구';

/** Observations that another one supersedes, in what searches show. */
export function superseded(engine: EngineUnderTest): void {
  describe('observations that were superseded', () => {
    async function noted(memory: Memory): Promise<[old: number, other: number, now: number]> {
      const ids = [];
      for (const content of [
        'Redis failover takes 12 seconds; 장애 복구',
        'Redis takes memory',
        'Redis failover of the shop takes about 3 seconds since Sentinel 7; 장애 복구가 빨라졌다',
      ])
        ids.push((await memory.mem.save({ title: 'Redis failover', content })).id);
      return ids as [number, number, number];
    }
    const supersede = (memory: Memory, newer: number, older: number) =>
      memory.mem.relate({ from_id: newer, to_id: older, relation_type: 'supersedes' });

    it('[T-15] one is marked and comes behind the one that supersedes it, in mem_search, recall and search', async () => {
      const memory = await engine.open();
      const [old, , now] = await noted(memory);
      const before = (await memory.mem.search({ query: QUESTION })).results.map(({ id }) => id);
      assert(before.indexOf(old) < before.indexOf(now), 'by its words alone the old one answers better');
      await supersede(memory, now, old);
      const { results } = await memory.mem.search({ query: QUESTION });
      const ids = results.map(({ id }) => id);
      assert.equal(ids.indexOf(old), ids.indexOf(now) + 1);
      assert.deepEqual(
        results.map(({ id, superseded_by }) => [id, superseded_by]).filter(([, by]) => by !== undefined),
        [[old, now]],
      );
      const listed = (await memory.mem.search({})).results.find(({ id }) => id === old);
      assert.equal(listed?.superseded_by, now, 'in a list without words, too');

      const recalled = await memory.recall({ task: QUESTION });
      for (const { entries } of [recalled, { entries: (await memory.search({ query: QUESTION })).results }]) {
        const order = entries.map(({ id }) => Number(id));
        assert(order.indexOf(now) !== -1 && order.indexOf(now) < order.indexOf(old));
        assert.equal(entries.find(({ id }) => id === String(old))?.superseded_by, `#${now}`);
        assert(!entries.some(({ id, superseded_by }) => id !== String(old) && superseded_by));
      }
      assert.match(JSON.stringify(forModel('recall', recalled)), new RegExp(`"superseded_by":"#${now}"`));
    });

    it('[T-15] one that a deleted observation superseded stands again; two that supersede each other are both found', async () => {
      const memory = await engine.open();
      const [old, other, now] = await noted(memory);
      await supersede(memory, now, old);
      await memory.delete({ ref: now });
      const { results } = await memory.mem.search({ query: QUESTION });
      assert.equal(results[0]?.id, old);
      assert(results.every(({ superseded_by }) => superseded_by === undefined));
      await supersede(memory, old, other);
      await supersede(memory, other, old);
      assert.equal((await memory.mem.search({ query: QUESTION })).total, 2);
      assert.equal((await memory.recall({ task: QUESTION })).entries.length, 2);
    });
  });
}
