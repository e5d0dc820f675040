import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Memory } from '../../src/index.ts';
import type { EngineUnderTest } from '../support/engines.ts';
import { NO_LINKS } from '../support/no-links.ts';
import { naming, pastTheProduct, programOn, rowsOf, tableOf, withDecisions } from './given.ts';

/** The reasoning that the story gives as its example, to the letter. */
export const EXAMPLE = {
  type: 'decision',
  topic: 'cad:wall:thickness',
  decision: '외벽 200mm, 내벽 150mm 표준화',
  reasoning: `builds_on: decision_cad_wall_123_abc.
    이전 결정에서 150mm 단일 표준을 정했지만,
    외벽과 내벽 구분이 필요함을 발견.`,
} as const;

/** `from relationship to` of every row of decision_edges, sorted. */
export async function edgesIn(memory: Memory): Promise<string[]> {
  const rows = await rowsOf(memory, 'decisionEdges');
  return rows.map(({ fromId, relationship, toId }) => `${fromId} ${relationship} ${toId}`).sort();
}

/** Saves a decision with this reasoning on a topic of its own. */
const saveWith = (memory: Memory, reasoning: string) =>
  memory.mama.save({ topic: 'cad:wall:finish', decision: '외벽 마감 표준', reasoning });

/** Story 11.2: its acceptance criteria and tasks. */
export function reasoningGraph(engine: EngineUnderTest): void {
  describe('Story 11.2: 결정 저장 + Reasoning Graph', () => {
    it('[G-1] AC1, Task 3.1, 3.2, 6.1: supersedes 관계 자동 생성', async () => {
      const memory = await engine.open();
      const old = await memory.mama.save({ topic: 'cad:wall:thickness', decision: '150mm 단일 표준' });
      assert.deepEqual(await edgesIn(memory), [], 'nothing was there before it');
      await memory.mama.save({ topic: 'cad:wall:height', decision: '2400mm' });
      assert.deepEqual(await edgesIn(memory), [], 'another topic');
      const now = await memory.mama.save({ topic: EXAMPLE.topic, decision: EXAMPLE.decision });
      assert.deepEqual(await edgesIn(memory), [`${now.id} supersedes ${old.id}`]);
      const { results } = await memory.mama.search({ query: '표준', history: true });
      const ofOld = results.find(({ id }) => id === old.id);
      assert.equal(ofOld?.edges.superseded_by, now.id, 'the new one stands for the old one');
    });

    it('[G-2] AC2, Task 2.2, 6.2: builds_on 관계 파싱', async () => {
      const memory = await withDecisions(engine, engine.place(), 'decision_xxx');
      const { id } = await saveWith(memory, 'builds_on: decision_xxx');
      assert.deepEqual(await edgesIn(memory), [`${id} builds_on decision_xxx`]);
    });

    it('[G-3] AC3, Task 2.3, 6.3: debates 관계 파싱', async () => {
      const memory = await withDecisions(engine, engine.place(), 'decision_xxx');
      const { id } = await saveWith(memory, 'debates: decision_xxx');
      assert.deepEqual(await edgesIn(memory), [`${id} debates decision_xxx`]);
    });

    it('[G-4] AC4, Task 2.4, 6.4: synthesizes 관계 파싱 (다중), synthesizes: [id1, id2]', async () => {
      const memory = await engine.open();
      const { id: id1 } = await memory.mama.save({ topic: 'cad:wall:outer', decision: '외벽 200mm' });
      const { id: id2 } = await memory.mama.save({ topic: 'cad:wall:inner', decision: '내벽 150mm' });
      const { id } = await saveWith(memory, `synthesizes: [${id1}, ${id2}]`);
      assert.deepEqual(
        await edgesIn(memory),
        [`${id} synthesizes ${id1}`, `${id} synthesizes ${id2}`].sort(),
      );
    });

    it('[G-5] AC5, Task 5.1, 5.2, 5.3, 6.6: 검색 결과에 관계 정보 포함, key by key as MamaSearchOutput', async (test) => {
      const { open, connect } = programOn(engine, test);
      const { newId, next } = naming();
      const memory = await open({ newId });
      for (const id of ['decision_a', 'decision_b', 'decision_c']) {
        next(id);
        await memory.mama.save({ topic: `topic of ${id}`, decision: id });
      }
      const old = await saveWith(memory, 'builds_on: decision_b');
      const now = await memory.mama.save({
        topic: 'cad:wall:finish',
        decision: '내벽 마감 표준',
        reasoning: 'builds_on: decision_a\ndebates: decision_b\nsynthesizes: [decision_a, decision_c]',
      });
      const asked = { query: '마감 표준', history: true };
      const { results } = await memory.mama.search(asked);
      const [first, second] = results;
      const { id, topic, decision, similarity, created_at, edges } = first ?? {};
      assert.deepEqual([id, topic, decision], [now.id, 'cad:wall:finish', '내벽 마감 표준']);
      assert.deepEqual([typeof similarity, typeof created_at], ['number', 'string']);
      assert.deepEqual(edges, {
        ...NO_LINKS,
        supersedes_count: 1,
        builds_on: ['decision_a'],
        debates: ['decision_b'],
        synthesizes: ['decision_a', 'decision_c'],
      });
      assert.deepEqual(
        [second?.id, second?.edges],
        [
          old.id,
          {
            ...NO_LINKS,
            supersedes_count: 0,
            superseded_by: now.id,
            builds_on: ['decision_b'],
          },
        ],
      );
      // A model reads the same links by topic, without the empty lists.
      const server = await connect();
      const [over] = (await server.call('mama_search', asked)).results;
      assert.deepEqual(over?.edges, {
        builds_on: ['topic of decision_a (decision_a)'],
        debates: ['topic of decision_b (decision_b)'],
        synthesizes: ['topic of decision_a (decision_a)', 'topic of decision_c (decision_c)'],
      });
    });

    it('[G-5] superseded_by: 이 결정을 대체한 최신 결정 ID; supersedes_count: 이 결정이 대체한 결정 수', async () => {
      const memory = await engine.open();
      const ids: string[] = [];
      for (const decision of ['벽 150mm', '벽 180mm', '벽 200mm']) {
        ids.push((await memory.mama.save({ topic: EXAMPLE.topic, decision })).id);
      }
      const { results } = await memory.mama.search({ query: '벽', history: true });
      const edges = Object.fromEntries(
        results.map(({ id, edges: { supersedes_count, superseded_by } }) => [
          id,
          [supersedes_count, superseded_by],
        ]),
      );
      const [a = '', b = '', c = ''] = ids;
      assert.deepEqual(edges, { [a]: [0, c], [b]: [1, c], [c]: [2, undefined] });
    });

    for (const [what, reasoning] of Object.entries({
      'builds_on without an id': 'builds_on: 이전 결정',
      'debates of another form': 'debates: wall-123',
      'a synthesizes list that is not closed': 'synthesizes: [decision_xxx',
      'an empty list': 'synthesizes: []',
      'an id that does not exist': 'builds_on: decision_not_there',
    })) {
      it(`[G-6] AC6, Task 2.5, 6.5: 잘못된 관계 패턴 처리, ${what}`, async () => {
        const log: string[] = [];
        const memory = await engine.open({ log: (message) => log.push(message) });
        log.length = 0;
        const saved = await saveWith(memory, reasoning);
        assert.deepEqual(await edgesIn(memory), []);
        const { decision } = await memory.decision.get({ id: saved.id });
        assert.equal(decision.reasoning, reasoning, 'it is saved as it was said');
        assert.deepEqual([saved.warnings.length, log.length], [1, 1], 'and warned of');
      });
    }

    it('[G-6] AC6: what is right beside a wrong pattern is kept', async () => {
      const memory = await withDecisions(engine, engine.place(), 'decision_xxx');
      const { id } = await saveWith(memory, 'debates: 없음\nbuilds_on: decision_xxx');
      assert.deepEqual(await edgesIn(memory), [`${id} builds_on decision_xxx`]);
    });

    it('[G-8] Task 1.1, 1.2, DB Schema: decision_edges and its indexes', () => {
      const { columns, constraints, indexes } = tableOf(engine, 'decision_edges');
      assert.deepEqual(Object.keys(columns), ['from_id', 'to_id', 'relationship', 'created_at']);
      assert.match(columns.from_id ?? '', /^text not null references decisions \(id\)$/);
      assert.match(columns.to_id ?? '', /^text not null references decisions \(id\)$/);
      assert.match(columns.relationship ?? '', /^text not null$/);
      assert.match(columns.created_at ?? '', /^bigint not null$/);
      assert(constraints.some((line) => line.endsWith('primary key (from_id, to_id, relationship)')));
      for (const end of ['from_id', 'to_id'])
        assert(
          indexes.some((on) => on.startsWith(end)),
          end,
        );
    });

    it('[G-8] Task 1.3: 외래키 제약 조건, the database refuses an edge to no decision', async () => {
      const place = engine.place();
      const memory = await withDecisions(engine, place, 'decision_xxx', 'decision_yyy');
      const edge = { fromId: 'decision_xxx', toId: 'decision_yyy', relationship: 'builds_on', createdAt: 0 };
      const insert = (values: object) =>
        pastTheProduct(place, (db) => db.insertInto('decisionEdges').values(values).execute());
      assert.equal(await insert(edge), undefined);
      assert.equal(await insert({ ...edge, toId: 'decision_zzz' }), 'bug');
      assert.equal(await insert({ ...edge, fromId: 'decision_zzz' }), 'bug');
      assert.equal(await insert(edge), 'race', 'PRIMARY KEY (from_id, to_id, relationship)');
      assert.equal((await edgesIn(memory)).length, 1);
    });

    it('[G-1] Task 3.3: 시간순 체인 유지 (A supersedes B supersedes C)', async () => {
      const { newId, next } = naming();
      const memory = await engine.open({ newId });
      for (const id of ['decision_C', 'decision_B', 'decision_A']) {
        next(id);
        await memory.mama.save({ topic: EXAMPLE.topic, decision: id });
      }
      const chain = ['decision_A supersedes decision_B', 'decision_B supersedes decision_C'];
      assert.deepEqual(await edgesIn(memory), chain);
      const { versions } = await memory.decision.get({ id: 'decision_C' });
      assert.deepEqual(
        versions.map(({ id }) => id),
        ['decision_C', 'decision_B', 'decision_A'],
      );
    });

    it('[G-7] Task 4.3: 트랜잭션으로 원자성 보장', async () => {
      const ids = ['decision_xxx', 'decision_yyy'];
      const newId = () => ids.shift() ?? assert.fail('no id is left for the evidence');
      const memory = await engine.open({ newId, writer: { session: 's' } });
      await memory.mama.save({ topic: EXAMPLE.topic, decision: '150mm' });
      const said = { topic: EXAMPLE.topic, decision: '200mm', reasoning: 'builds_on: decision_xxx' };
      await assert.rejects(memory.mama.save({ ...said, evidence: ['근거'] }), /no id is left/);
      assert.deepEqual([await edgesIn(memory), (await rowsOf(memory, 'decisions')).length], [[], 1]);
    });
  });
}
