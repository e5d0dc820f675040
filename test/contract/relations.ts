import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Memory, openMemory } from '../../src/index.ts';
import type { EngineUnderTest } from '../support/engines.ts';
import { refuses } from '../support/expect.ts';

type Branch = Awaited<ReturnType<Memory['mem']['buildContext']>>['root']['children'][number];

/** Saves observations with these titles. @returns their ids */
async function save(memory: Memory, ...titles: string[]): Promise<number[]> {
  const ids: number[] = [];
  for (const title of titles) ids.push((await memory.mem.save({ title, content: `about ${title}` })).id);
  return ids;
}

const relate = (memory: Memory, from_id: number, to_id: number, relation_type = 'relates_to') =>
  memory.mem.relate({ from_id, to_id, relation_type });

/** A tree as nested ids: `[2, [3]]` is 2 with a child 3. */
type Ids = (number | Ids)[];
const shape = (branches: Branch[]): Ids =>
  branches.flatMap(({ observation, children }) =>
    children.length > 0 ? [observation.id, shape(children)] : [observation.id],
  );

/** Relations between observations, and the walk over them. */
export function relations(engine: EngineUnderTest): void {
  describe('relations', () => {
    it('[R-2] [R-3] [R-6] any type, directed, with a note; shown from both ends with its id', async () => {
      const memory = await engine.open();
      const [a = 0, b = 0] = await save(memory, 'a', 'b');
      const { relation_id } = await memory.mem.relate({
        from_id: a,
        to_id: b,
        relation_type: '때문에 생김',
        note: '로그를 보라',
      });
      const fromA = await memory.mem.getObservation({ id: a });
      const fromB = await memory.mem.getObservation({ id: b });
      assert.deepEqual([fromA.relations.incoming, fromB.relations.outgoing], [[], []]);
      const [outgoing] = fromA.relations.outgoing;
      assert.deepEqual(
        [outgoing?.id, outgoing?.type, outgoing?.note, outgoing?.observation],
        [relation_id, '때문에 생김', '로그를 보라', { id: b, title: 'b', type: 'manual', deleted: false }],
      );
      assert.deepEqual(
        [fromB.relations.incoming[0]?.id, fromB.relations.incoming[0]?.observation.id],
        [relation_id, a],
      );
    });

    it('[R-3] [R-8] [R-9] both ends must exist, not be deleted, and differ; the message says which', async () => {
      const memory = await engine.open();
      const [a = 0, b = 0, gone = 0] = await save(memory, 'a', 'b', 'gone');
      await memory.delete({ ref: b });
      await memory.delete({ ref: gone, hard_delete: true });
      await refuses(relate(memory, a, a), 'invalid', String(a));
      await refuses(relate(memory, a, 999), 'not_found', '999');
      await refuses(relate(memory, 999, a), 'not_found', '999');
      await refuses(relate(memory, a, gone), 'not_found', String(gone));
      await refuses(relate(memory, a, b), 'conflict', String(b), 'deleted');
      await refuses(relate(memory, b, a), 'conflict', String(b), 'deleted');
      await refuses(relate(memory, a, b, '  '), 'invalid', 'relation_type');
    });

    it('[R-10] the same relation twice is refused, naming the first; another type or direction is not', async () => {
      const memory = await engine.open();
      const [a = 0, b = 0] = await save(memory, 'a', 'b');
      const { relation_id } = await relate(memory, a, b);
      await refuses(relate(memory, a, b), 'conflict', 'relates_to', `relation ${relation_id}`);
      await relate(memory, a, b, 'depends_on');
      await relate(memory, b, a);
      assert.equal((await memory.mem.stats({})).relations, 3);
    });

    it('[R-12] bidirectional makes both relations or neither', async () => {
      const memory = await engine.open();
      const [a = 0, b = 0, c = 0] = await save(memory, 'a', 'b', 'c');
      const both = (from_id: number, to_id: number) =>
        memory.mem.relate({ from_id, to_id, relation_type: 'r', note: 'n', bidirectional: true });
      const { relation_id, relation_ids } = await both(a, b);
      assert.deepEqual([relation_ids.length, relation_ids[0]], [2, relation_id]);
      const { outgoing, incoming } = await memory.mem.relations({ observation_id: a });
      assert.deepEqual([outgoing[0]?.note, incoming[0]?.note], ['n', 'n']);
      await relate(memory, c, a, 'r');
      await refuses(both(a, c), 'conflict', `${c} "r" ${a}`);
      assert.equal((await memory.mem.relations({ observation_id: c })).total.incoming, 0, 'a → c was undone');
    });

    it('[R-4] mem_unrelate removes one relation by its id, for good', async () => {
      const memory = await engine.open();
      const [a = 0, b = 0] = await save(memory, 'a', 'b');
      await memory.mem.relate({ from_id: a, to_id: b, relation_type: 'r', bidirectional: true });
      const { outgoing } = await memory.mem.relations({ observation_id: a });
      const id = outgoing[0]?.id ?? 0;
      const removed = await memory.mem.unrelate({ relation_id: id });
      assert.deepEqual([removed.from_id, removed.to_id, removed.type], [a, b, 'r']);
      assert.deepEqual((await memory.mem.relations({ observation_id: a })).total, {
        outgoing: 0,
        incoming: 1,
      });
      await refuses(memory.mem.unrelate({ relation_id: id }), 'not_found', String(id), 'mem_get_observation');
    });

    it('[R-14] mem_relations lists without going further, and says how many it left out', async () => {
      const memory = await engine.open();
      const [a = 0, ...others] = await save(memory, 'a', 'b', 'c', 'd');
      for (const other of others) await relate(memory, a, other);
      await relate(memory, others[0] ?? 0, others[1] ?? 0);
      const listed = await memory.mem.relations({ observation_id: a, limit: 2 });
      assert.deepEqual(
        listed.outgoing.map((end) => end.observation.title),
        ['d', 'c'],
      );
      assert.deepEqual([listed.total, listed.observation.title], [{ outgoing: 3, incoming: 0 }, 'a']);
      await refuses(memory.mem.relations({ observation_id: 999 }), 'not_found', '999');
      const last = await memory.mem.relations({ observation_id: others[2] ?? 0 });
      assert.deepEqual(
        [last.incoming.map((end) => end.observation.title), last.outgoing],
        [['a'], []],
        'what joins others is none of its own',
      );
    });

    it('[R-13] mem_stats counts relations, types, the most connected, and every other kind', async () => {
      const memory = await engine.open();
      const [a = 0, b = 0, c = 0] = await save(memory, 'a', 'b', 'c');
      await relate(memory, a, b, 'x');
      await relate(memory, a, c, 'x');
      await relate(memory, c, b, 'y');
      await memory.mama.save({ topic: 't', decision: 'd', evidence: ['e'] });
      await memory.delete({ ref: c });
      const stats = await memory.mem.stats({});
      assert.equal(stats.relations, 3);
      assert.deepEqual(stats.commonest_types, [
        { type: 'x', count: 2 },
        { type: 'y', count: 1 },
      ]);
      assert.deepEqual(
        stats.most_connected.map((each) => [each.id, each.relations, each.deleted]),
        [
          [a, 2, false],
          [b, 2, false],
          [c, 2, true],
        ],
      );
      assert.deepEqual([stats.observations, stats.deleted_observations], [2, 1]);
      assert.deepEqual(stats.records, { decision: 1, evidence: 1, observation: 3 });
      await memory.mem.save({ title: 'd', content: 'd', type: 'bugfix', project: 'web' });
      const { kinds, projects } = await memory.mem.stats({});
      assert.deepEqual(kinds, [
        { type: 'manual', count: 2 },
        { type: 'bugfix', count: 1 },
      ]);
      assert.deepEqual(projects, [{ project: 'web', count: 1 }]);
    });
  });

  describe('context', () => {
    it('[R-5] walks both directions to the depth asked for, and says how each link runs', async () => {
      const memory = await engine.open();
      const [a = 0, b = 0, c = 0, d = 0] = await save(memory, 'a', 'b', 'c', 'd');
      await memory.mem.relate({ from_id: a, to_id: b, relation_type: 'implements', note: 'n' });
      await relate(memory, c, b, 'depends_on');
      await relate(memory, c, d, 'part_of');
      const near = await memory.mem.buildContext({ observation_id: a });
      assert.deepEqual([shape(near.root.children), near.total, near.truncated], [[b], 2, false]);
      const far = await memory.mem.buildContext({ observation_id: a, depth: 5 });
      assert.deepEqual(shape(far.root.children), [b, [c, [d]]]);
      const [first] = far.root.children;
      assert.deepEqual(
        [first?.relation.type, first?.relation.direction, first?.relation.note, first?.depth],
        ['implements', 'outgoing', 'n', 1],
      );
      assert.deepEqual(
        [first?.children[0]?.relation.direction, first?.children[0]?.children[0]?.relation.direction],
        ['incoming', 'outgoing'],
      );
    });

    it('[R-5] cycles end; each observation once, at its shallowest depth; other relations are listed', async () => {
      const memory = await engine.open();
      const [a = 0, b = 0, c = 0] = await save(memory, 'a', 'b', 'c');
      await relate(memory, a, b);
      await relate(memory, b, c);
      const closing = await relate(memory, c, a);
      const second = await relate(memory, a, b, 'also');
      const { root, other_relations, total } = await memory.mem.buildContext({ observation_id: a, depth: 5 });
      assert.deepEqual(shape(root.children), [b, c], 'c is one step away, over the closing relation');
      assert.equal(root.children[0]?.relation.id, second.relation_id, 'the newest of two relations is shown');
      assert.equal(root.children[1]?.relation.id, closing.relation_id);
      assert.deepEqual(
        other_relations.map((other) => [other.from_id, other.to_id, other.type]),
        [
          [b, c, 'relates_to'],
          [a, b, 'relates_to'],
        ],
      );
      assert.equal(total, 3);
      const cut = await memory.mem.buildContext({ observation_id: a, depth: 5, limit: 2 });
      assert.deepEqual(
        [cut.truncated, cut.other_relations.length, cut.other_relations_total],
        [true, 1, 1],
        'the second relation of a and b; c and its relations are not shown',
      );
    });

    it('depth outside 1 to 5, a limit out of range and an unknown start are refused, naming the range', async () => {
      const memory = await engine.open();
      const [a = 0] = await save(memory, 'a');
      const build = (input: object) => memory.call('mem_build_context', { observation_id: a, ...input });
      for (const depth of [0, 6, 9, -1, 1.5]) await refuses(build({ depth }), 'invalid', 'depth');
      await refuses(build({ depth: 9 }), 'invalid', 'between 1 and 5', '9');
      await refuses(build({ limit: 10_001 }), 'invalid', 'limit', '10000');
      await refuses(build({ observation_id: 999 }), 'not_found', '999');
    });

    it('a hub answers within the cap, and says what it left out', async () => {
      const memory = await engine.openFast();
      const hub = 1;
      await memory.import(await exportedHub(500));
      const context = await memory.mem.buildContext({ observation_id: hub, depth: 5 });
      assert.deepEqual([context.root.children.length, context.total, context.truncated], [199, 501, true]);
      const read = await memory.mem.getObservation({ id: hub });
      assert.deepEqual([read.relations.outgoing.length, read.relation_count.outgoing], [50, 500]);
    });
  });
}

/** Many observations around the first one, as an exported memory: what is saved one by one takes an engine long. */
async function exportedHub(count: number): Promise<string[]> {
  const memory = await openMemory({ db: ':memory:' });
  const [hub = 0] = await save(memory, 'hub');
  for (let n = 0; n < count; n++) {
    const [spoke = 0] = await save(memory, `spoke ${n}`);
    await relate(memory, hub, spoke);
  }
  const lines: string[] = [];
  await memory.export('jsonl', (line) => lines.push(line));
  await memory.close();
  return lines;
}
