import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { EngineUnderTest } from '../support/engines.ts';

/** W-1, W-2: what of a decision is searched. */
export function searched(engine: EngineUnderTest): void {
  describe('what of a decision is searched', () => {
    it('[W-1] the reason of every outcome is, on its version, from the moment it is given', async () => {
      const memory = await engine.open();
      const { id } = await memory.mama.save({ topic: 'cache', decision: 'Redis in front' });
      const find = async (query: string) =>
        (await memory.mama.search({ query })).results.map((row) => row.id);
      assert.deepEqual(await find('stampede'), []);
      await memory.mama.update({ id, outcome: 'failed', reason: 'A stampede after each deploy' });
      assert.deepEqual(await find('stampede'), [id]);
      await memory.mama.update({ id, outcome: 'success', reason: 'locks around the misses' });
      assert.deepEqual([await find('stampede'), await find('misses')], [[id], [id]]);
      const next = await memory.mama.save({ topic: 'cache', decision: 'no cache at all' });
      assert.deepEqual(await find('stampede'), [next.id, id], 'the standing one, then the one that knows');
      const { results } = await memory.search({ query: 'stampede' });
      assert(results.length > 0);
      await memory.redact(id, 'stampede');
      assert.deepEqual(await find('stampede'), []);
    });

    it('[W-2] link words, ids and lists of them are not; what stands around them is', async () => {
      const memory = await engine.open();
      const base = await memory.mama.save({ topic: 'db:engine', decision: 'Postgres' });
      const reasoning = `builds_on: ${base.id} because joins matter\ndebates: [${base.id}]\nSee also ${base.id}.`;
      const { id } = await memory.mama.save({ topic: 'db:orm', decision: 'None', reasoning });
      const find = async (query: string) =>
        (await memory.mama.search({ query })).results.map((row) => row.id);
      for (const query of ['build', 'builds_on', 'debates', base.id, base.id.slice(0, 8)])
        assert.deepEqual(await find(query), [], query);
      assert.deepEqual(await find('joins'), [id]);
      const { decision } = await memory.decision.get({ id });
      assert.equal(decision.reasoning, reasoning, 'it is kept as it was written');
    });

    it('[W-2] what is said between the ids of a list is words, whatever leads to the list', async () => {
      const memory = await engine.open();
      const one = await memory.mama.save({ topic: 'a', decision: 'A' });
      const two = await memory.mama.save({ topic: 'b', decision: 'B' });
      const find = async (query: string) =>
        (await memory.mama.search({ query })).results.map((row) => row.topic);
      const texts = {
        c: `builds_on:\n- ${one.id} because ferret tokens leak\n- ${two.id} since walrus`,
        d: `debates: ${one.id} (the okapi reason), ${two.id} (the tapir reason)`,
        e: `builds_on: nothing-there. supersedes: ${one.id}. See decision_auth_strategy_12345`,
        f: `builds_on ${one.id}`,
      };
      for (const [topic, reasoning] of Object.entries(texts))
        await memory.mama.save({ topic, decision: topic, reasoning });
      for (const query of ['ferret', 'walrus']) assert.deepEqual(await find(query), ['c'], query);
      for (const query of ['okapi', 'tapir']) assert.deepEqual(await find(query), ['d'], query);
      for (const query of ['builds_on', 'build', 'debates', 'supersedes', 'auth strategy'])
        assert.deepEqual(await find(query), [], query);
    });

    it('[W-1] [W-2] an index that is rebuilt holds the same', async () => {
      const memory = await engine.open();
      const base = await memory.mama.save({ topic: 'a', decision: 'A' });
      const { id } = await memory.mama.save({
        topic: 'b',
        decision: 'B',
        reasoning: `builds_on: ${base.id} gently`,
      });
      await memory.mama.update({ id, outcome: 'failed', reason: 'avalanche' });
      await memory.repair();
      for (const query of ['avalanche', 'gently']) {
        assert.deepEqual(
          (await memory.mama.search({ query })).results.map((row) => row.id),
          [id],
        );
      }
      assert.equal((await memory.mama.search({ query: 'builds' })).total, 0);
    });
  });
}
