import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Memory } from '../../src/index.ts';
import type { EngineUnderTest } from '../support/engines.ts';
import { refuses } from '../support/expect.ts';
import { rowsOf } from './given.ts';
import { observed, relate, sentences } from './relations.ts';

type Branch = Awaited<ReturnType<Memory['mem']['buildContext']>>['root']['children'][number];
/** Each edge of a tree, as it is read from the observation above: `→ type id` or `← type id`. */
const edgesOf = (branches: Branch[]): unknown[] =>
  branches.flatMap(({ relation: { direction, type }, observation, children }) => [
    `${direction === 'outgoing' ? '→' : '←'} ${type} ${observation.id}`,
    ...(children.length > 0 ? [edgesOf(children)] : []),
  ]);

/** Relations between observations: the walk, and what should and could be there. */
export function relationsContext(engine: EngineUnderTest): void {
  describe('Knowledge Graph Relations: mem_build_context', () => {
    it('[R-5] FR-005: depth is 1 unless given, 5 at most; the walk goes in both directions', async () => {
      const memory = await engine.open();
      const ids: number[] = [];
      for (let n = 0; n < 7; n++) ids.push((await memory.mem.save({ title: `${n}`, content: `${n}` })).id);
      for (let n = 1; n < 7; n++) {
        const [near = 0, far = 0] = [ids[n - 1], ids[n]];
        await (n % 2 ? relate(memory, near, far) : relate(memory, far, near));
      }
      const [observation_id = 0] = ids;
      assert.equal((await memory.mem.buildContext({ observation_id })).total, 2);
      for (const depth of [1, 2, 3, 4, 5]) {
        assert.equal((await memory.mem.buildContext({ observation_id, depth })).total, 1 + depth);
      }
      await refuses(
        memory.call('mem_build_context', { observation_id, depth: 6 }),
        'invalid',
        'depth',
        '5',
        '6',
      );
    });

    it('[R-5] FR-005: cycle detection, no infinite loop', async () => {
      const { memory, ids } = await observed(engine);
      const [a, b, c] = ids;
      await relate(memory, a, b);
      await relate(memory, b, a);
      await relate(memory, b, c);
      await relate(memory, c, a);
      const { total, root } = await memory.mem.buildContext({ observation_id: a, depth: 5 });
      assert.deepEqual([total, root.observation.id], [3, a]);
      const shown = JSON.stringify(root).match(/"observation":\{"id":\d+/g) ?? [];
      assert.equal(shown.length, 3, 'each observation once');
    });

    it('[R-5] FR-012: type and direction on each edge', async () => {
      const { memory, ids } = await observed(engine);
      const [a, b, c, d] = ids;
      await relate(memory, a, b, 'implements');
      await relate(memory, c, b, 'depends_on');
      await relate(memory, c, d, 'part_of');
      const { root } = await memory.mem.buildContext({ observation_id: a, depth: 3 });
      assert.deepEqual(edgesOf(root.children), [
        `→ implements ${b}`,
        [`← depends_on ${c}`, [`→ part_of ${d}`]],
      ]);
    });
  });

  describe('Knowledge Graph Relations: SHOULD HAVE, COULD HAVE, WON’T HAVE', () => {
    it('[R-11] FR-011: mem_search results have relation_count, both directions combined', async () => {
      const { memory, ids } = await observed(engine);
      const [a, b, c] = ids;
      await relate(memory, a, b);
      await relate(memory, c, a);
      await relate(memory, a, c);
      const { results } = await memory.mem.search({ query: '알게 된 것' });
      const counts = Object.fromEntries(results.map(({ id, relation_count }) => [id, relation_count]));
      assert.deepEqual(
        ids.map((id) => counts[id]),
        [3, 1, 2, 0],
      );
    });

    it('[R-12] FR-013: bidirectional makes A→B and B→A with the same type and note; it is false by default', async () => {
      const { memory, ids } = await observed(engine);
      const [a, b, c] = ids;
      const relation = { from_id: a, to_id: b, relation_type: 'relates_to', note: '서로' };
      const { relation_ids } = await memory.mem.relate({ ...relation, bidirectional: true });
      assert.equal(relation_ids.length, 2);
      assert.deepEqual(await sentences(memory), [`${a} relates_to ${b}`, `${b} relates_to ${a}`]);
      assert.deepEqual(
        (await rowsOf(memory, 'relations')).map(({ note }) => note),
        ['서로', '서로'],
      );
      await memory.mem.relate({ ...relation, to_id: c });
      assert.equal((await sentences(memory)).length, 3);
    });

    it('[R-13] FR-014: mem_stats, total relations, most common types, most connected observations', async () => {
      const { memory, ids } = await observed(engine);
      const [a, b, c, d] = ids;
      for (const other of [b, c, d]) await relate(memory, a, other, 'depends_on');
      await relate(memory, b, c, 'part_of');
      const { relations, commonest_types, most_connected } = await memory.mem.stats({});
      assert.deepEqual(
        [relations, commonest_types],
        [
          4,
          [
            { type: 'depends_on', count: 3 },
            { type: 'part_of', count: 1 },
          ],
        ],
      );
      assert.deepEqual([most_connected[0]?.id, most_connected[0]?.relations], [a, 3]);
    });

    it('[R-14] FR-015: mem_relations lists all relations of one observation, without going further', async () => {
      const { memory, ids } = await observed(engine);
      const [a, b, c, d] = ids;
      await relate(memory, a, b);
      await relate(memory, c, a);
      await relate(memory, b, d);
      const { outgoing, incoming, total } = await memory.mem.relations({ observation_id: a });
      const idsOf = (ends: typeof outgoing) => ends.map(({ observation }) => observation.id);
      assert.deepEqual([idsOf(outgoing), idsOf(incoming), total], [[b], [c], { outgoing: 1, incoming: 1 }]);
    });

    it('FR-W03: no relation is inferred, however alike two observations are', async () => {
      const { memory, ids } = await observed(engine);
      const content = `관찰 ${ids[0]}의 JWT 검증에 대해 알게 된 것`;
      await memory.mem.save({ title: 'JWT 검증', content });
      await memory.mem.search({ query: 'JWT 검증' });
      assert.deepEqual(await sentences(memory), []);
    });
  });
}
