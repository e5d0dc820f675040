import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { EngineUnderTest } from '../support/engines.ts';
import { refuses } from '../support/expect.ts';

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
      assert.deepEqual(await find('stampede'), [next.id, id], 'the active one, then the one that knows');
      const { results } = await memory.search({ query: 'stampede' });
      assert(results.length > 0);
      await memory.redact(id, 'stampede');
      assert.deepEqual(await find('stampede'), []);
    });

    it('[W-2] link words, ids and lists of them are not; what stands around them is', async () => {
      const memory = await engine.open();
      // Their words have no letters of an id alone: one with `4db` in it is searched in parts.
      const base = await memory.mama.save({ topic: 'storage:engine', decision: 'Postgres' });
      const reasoning = `builds_on: ${base.id} because joins matter\ndebates: [${base.id}]\nSee also ${base.id}.`;
      const { id } = await memory.mama.save({ topic: 'storage:orm', decision: 'None', reasoning });
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

    it('[U-4] a search of everything is narrowed as listings are', async () => {
      let now = Date.parse('2026-11-01T09:00:00Z');
      const memory = await engine.open({ clock: () => now });
      await memory.mama.save({ topic: 'auth:old', decision: 'A cache of tokens', evidence: ['hot lookups'] });
      await memory.mama.update({ id: 'auth:old', outcome: 'failed', reason: 'It grew' });
      now += 30 * 86_400_000;
      await memory.mama.save({ topic: 'ui:list', decision: 'A cache of rows' });
      await memory.mem.save({ title: 'Cache note', content: 'Four MB', type: 'bugfix', project: 'web' });
      await memory.memo.save({ fullText: 'cache is warm at nine', keywords: ['cache'] });
      await memory.mama.save({ type: 'checkpoint', summary: 'The cache is measured' });
      const names = async (query: string, fields = {}) => {
        const { results } = await memory.search({ query, limit: 10, ...fields });
        return results.map((each) => each.title ?? each.kind).sort();
      };
      const everything = ['Cache note', 'auth:old', 'checkpoint', 'memo', 'ui:list'];
      const expected: Record<string, string[]> = {
        cache: everything,
        'cache scope:auth': ['auth:old'],
        'cache scope:ui': ['ui:list'],
        'cache topic:AUTH:old': ['auth:old'],
        'cache outcome:failed': ['auth:old'],
        'cache until:2026-11-15': ['auth:old'],
        'cache since:2w': ['Cache note', 'checkpoint', 'memo', 'ui:list'],
        'cache kind:memo,checkpoint': ['checkpoint', 'memo'],
        'cache type:bugfix': ['Cache note'],
        'cache project:web': ['Cache note'],
        'cache is:no-evidence kind:decision': ['ui:list'],
        'lookups scope:auth': ['auth:old'],
        'lookups scope:ui': [],
        'cache kind:outcome': [],
        '"scope:ui" cache': everything,
      };
      for (const [query, found] of Object.entries(expected))
        assert.deepEqual(await names(query), found, query);
      assert.deepEqual(await names('cache', { kind: ['decision'], scope: 'auth' }), ['auth:old']);
      await refuses(memory.search({ query: 'scope:auth' }), 'invalid', 'words to look for', 'decision_list');
      await refuses(memory.search({ query: 'cache scope:aut' }), 'not_found', 'Did you mean "auth"');
      await refuses(memory.search({ query: 'cache outcom:failed' }), 'invalid', 'outcome:failed');
      await refuses(memory.search({ query: 'cache state:active' }), 'invalid', 'state:');
    });
  });
}
