import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Memory } from '../../src/index.ts';
import type { EngineUnderTest, Place } from '../support/engines.ts';
import { refuses } from '../support/expect.ts';
import { pastTheProduct, programOn, rowsOf } from './given.ts';

export type Ids = [number, number, number, number];

/** A memory with four observations that nothing relates yet. */
export async function observed(engine: EngineUnderTest, place: Place = engine.place()) {
  const memory = await engine.open({ ...place });
  const ids: number[] = [];
  for (const title of ['JWT 검증', '토큰 만료', '시계 오차', 'NTP 설정']) {
    ids.push((await memory.mem.save({ title, content: `${title}에 대해 알게 된 것` })).id);
  }
  return { memory, ids: ids as Ids };
}

/** Relates one observation to another. @returns the id of the relation */
export async function relate(memory: Memory, from_id: number, to_id: number, relation_type = 'relates_to') {
  return (await memory.mem.relate({ from_id, to_id, relation_type })).relation_id;
}

/** `from type to` of every row of the table, in the order of their making. */
export async function sentences(memory: Memory): Promise<string[]> {
  return (await rowsOf(memory, 'relations')).map(({ fromId, type, toId }) => `${fromId} ${type} ${toId}`);
}

/** Relations between observations: what must be there. */
export function relationsMust(engine: EngineUnderTest): void {
  describe('Knowledge Graph Relations: MUST HAVE', () => {
    it('[R-1] FR-001: an existing memory goes on working when it is opened again, without manual intervention', async () => {
      const before = await engine.open();
      await before.mama.save({ type: 'checkpoint', summary: '인증까지 끝냄' });
      const memory = await engine.reopen(before);
      assert.equal((await memory.mama.loadCheckpoint()).checkpoint?.summary, '인증까지 끝냄');
      const a = await memory.mem.save({ title: 'a', content: 'a' });
      const b = await memory.mem.save({ title: 'b', content: 'b' });
      assert.equal(typeof (await relate(memory, a.id, b.id)), 'number');
    });

    for (const type of [
      ...['relates_to', 'implements', 'depends_on', 'caused_by', 'supersedes', 'part_of'],
      '때문에 생김',
      'as fast as, but cheaper',
    ]) {
      it(`[R-2] FR-002, FR-W05: from_id → to_id with relation_type "${type}"`, async () => {
        const { memory, ids } = await observed(engine);
        const [a, b] = ids;
        await relate(memory, a, b, type);
        assert.deepEqual(await sentences(memory), [`${a} ${type} ${b}`]);
        const { outgoing, incoming } = await memory.mem.relations({ observation_id: a });
        assert.deepEqual([outgoing.map((each) => each.type), incoming], [[type], []]);
      });
    }

    it('[R-3] FR-003: mem_relate, its parameters and what it returns, over MCP', async (test) => {
      const { connect } = programOn(engine, test);
      const server = await connect();
      const tool = (await server.client.listTools()).tools.find(({ name }) => name === 'mem_relate');
      const { properties = {}, required = [] } = tool?.inputSchema ?? {};
      const typeOf = (field: string) => (properties[field] as { type?: string } | undefined)?.type;
      assert.deepEqual(
        ['from_id', 'to_id', 'relation_type', 'note', 'bidirectional'].map((field) => [field, typeOf(field)]),
        [
          ...[
            ['from_id', 'integer'],
            ['to_id', 'integer'],
            ['relation_type', 'string'],
          ],
          ...[
            ['note', 'string'],
            ['bidirectional', 'boolean'],
          ],
        ],
      );
      assert.deepEqual(required.toSorted(), ['from_id', 'relation_type', 'to_id']);
      const a = await server.call('mem_save', { title: 'a', content: 'a' });
      const b = await server.call('mem_save', { title: 'b', content: 'b' });
      const relation = { from_id: a.id, to_id: b.id, relation_type: 'depends_on' };
      const { relation_id } = await server.call('mem_relate', { ...relation, note: '로그를 보라' });
      const { outgoing } = await server.call('mem_relations', { observation_id: a.id });
      assert.deepEqual([outgoing[0]?.id, outgoing[0]?.note], [relation_id, '로그를 보라']);
      for (const field of required) {
        const said = await server.refusal('mem_relate', { ...relation, [field]: undefined });
        assert(said.startsWith('invalid') && said.includes(field), said);
      }
    });

    it('[R-3] FR-003: both observations exist and are not soft-deleted', async () => {
      const { memory, ids } = await observed(engine);
      const [a, deleted] = ids;
      await memory.delete({ ref: deleted });
      await refuses(relate(memory, a, 999), 'not_found', '999');
      await refuses(relate(memory, 999, a), 'not_found', '999');
      await refuses(relate(memory, a, deleted), 'conflict', `${deleted}`);
      await refuses(relate(memory, deleted, a), 'conflict', `${deleted}`);
      assert.deepEqual(await sentences(memory), []);
    });

    it('[R-4] FR-004: mem_unrelate removes a relation by its id, for good', async () => {
      const { memory, ids } = await observed(engine);
      const [a, b, c] = ids;
      const first = await relate(memory, a, b);
      await relate(memory, b, c);
      await memory.mem.unrelate({ relation_id: first });
      assert.deepEqual(await sentences(memory), [`${b} relates_to ${c}`]);
      await refuses(memory.mem.unrelate({ relation_id: first }), 'not_found');
    });

    it('[R-6] FR-006: mem_get_observation has both its outgoing and incoming relations, one level, beside its fields', async () => {
      const { memory, ids } = await observed(engine);
      const [a, b, c, d] = ids;
      const { relations: none, relation_count: _, ...before } = await memory.mem.getObservation({ id: b });
      assert.deepEqual(none, { outgoing: [], incoming: [] });
      await relate(memory, b, c, 'depends_on');
      await relate(memory, a, b, 'caused_by');
      await relate(memory, c, d);
      const { relations, relation_count, ...after } = await memory.mem.getObservation({ id: b });
      assert.deepEqual(after, before, 'existing fields remain unchanged');
      const ends = (side: typeof relations.outgoing) =>
        side.map(({ type, observation }) => [type, observation.id]);
      assert.deepEqual(
        [ends(relations.outgoing), ends(relations.incoming)],
        [[['depends_on', c]], [['caused_by', a]]],
      );
      assert.deepEqual(relation_count, { outgoing: 1, incoming: 1 });
    });

    it('[R-7] FR-007: hard delete takes all relations along, whether it is from_id or to_id', async () => {
      const { memory, ids } = await observed(engine);
      const [a, b, c, d] = ids;
      await relate(memory, a, b);
      await relate(memory, b, c);
      await relate(memory, c, d);
      await memory.delete({ ref: b, hard_delete: true });
      assert.deepEqual(await sentences(memory), [`${c} relates_to ${d}`]);
    });

    it('[R-7] FR-007: soft delete does not affect relations', async () => {
      const { memory, ids } = await observed(engine);
      const [a, b, c] = ids;
      await relate(memory, a, b);
      await relate(memory, b, c);
      const before = await sentences(memory);
      await memory.delete({ ref: b });
      assert.deepEqual(await sentences(memory), before);
      const [end] = (await memory.mem.relations({ observation_id: a })).outgoing;
      assert.deepEqual([end?.observation.id, end?.observation.deleted], [b, true], 'still referenceable');
      const { total } = await memory.mem.buildContext({ observation_id: a, depth: 2 });
      assert.equal(total, 3);
    });

    it('[R-8] FR-008: no relation to an observation that is not there or was hard-deleted, past the product either', async () => {
      const place = engine.place();
      const { memory, ids } = await observed(engine, place);
      const [a, b, gone] = ids;
      await memory.delete({ ref: gone, hard_delete: true });
      await refuses(relate(memory, a, gone), 'not_found', `${gone}`);
      await relate(memory, a, b, 'first');
      const [{ id: _, ...row } = {}] = await rowsOf(memory, 'relations');
      const insert = (change: object) =>
        pastTheProduct(place, (db) =>
          db
            .insertInto('relations')
            .values({ ...row, type: 'second', ...change })
            .execute(),
        );
      assert.equal(await insert({}), undefined);
      for (const change of [{ toId: gone }, { fromId: gone }, { toId: 999 }])
        assert.equal(await insert(change), 'bug');
    });

    it('[R-9] FR-009: from_id == to_id is refused', async () => {
      const { memory, ids } = await observed(engine);
      await refuses(relate(memory, ids[0], ids[0]), 'invalid', `${ids[0]}`);
      assert.deepEqual(await sentences(memory), []);
    });

    it('[R-10] FR-010: the same from_id, to_id and relation_type is refused with a clear message', async () => {
      const { memory, ids } = await observed(engine);
      const [a, b] = ids;
      await relate(memory, a, b, 'depends_on');
      await refuses(relate(memory, a, b, 'depends_on'), 'conflict', 'depends_on', `${a}`, `${b}`);
      await relate(memory, a, b, 'caused_by');
      await relate(memory, b, a, 'depends_on');
      assert.equal((await sentences(memory)).length, 3);
    });
  });
}
