import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Memory } from '../../src/index.ts';
import type { EngineUnderTest } from '../support/engines.ts';
import { naming } from './given.ts';
import { connect, drawn } from './memo.ts';

export const ID = '550e8400-e29b-41d4-a716-446655440000';
export const SESSION = { sessionId: '대화' };

/** One message to each list of keywords, all of one conversation. */
export async function chat(memory: Memory, ...messages: string[][]): Promise<void> {
  for (const keywords of messages) await memory.keywords.record({ keywords, sessionId: 'chat' });
}

/** Saves a memo about these keywords. */
export const about = (memory: Memory, ...keywords: string[]) =>
  memory.memo.save({ fullText: '씬에 하나만 둔다', keywords, ...SESSION });

/** Memo: its Cypher templates and its incremental search. */
export function memoGraph(engine: EngineUnderTest): void {
  describe('Memo: Cypher templates', () => {
    it('[M-2] 1. 정보 노드 생성: RETURN i.id AS id', async () => {
      const { newId, next } = naming();
      const memory = await engine.open({ newId });
      next(ID);
      const { infoId } = await about(memory, 'unity');
      assert.equal(infoId, ID);
      const [node] = (await drawn(memory, ID)).nodes;
      assert.deepEqual(Object.keys(node ?? {}).sort(), [
        'createdAt',
        'fullText',
        'searchDepth',
        'source',
        'summary',
      ]);
    });

    it('[M-3] 2. 키워드와 직접 연결 (ABOUT): MERGE, ON CREATE SET r.createdAt', async () => {
      const memory = await engine.open();
      const { infoId } = await about(memory, 'unity', 'Unity', 'UNITY');
      const { links } = await drawn(memory, infoId);
      assert.deepEqual(
        links.map(({ type, keyword }) => [type, keyword]),
        [['ABOUT', 'unity']],
      );
      assert.match(links[0]?.createdAt ?? '', /^\d{13}$/);
    });

    for (const [relation, from, to, tell] of [
      ['FOLLOWED_BY', 'unity', 'shader', (memory: Memory) => chat(memory, ['unity'], ['shader'])],
      ['CO_OCCURS', 'unity', 'shader', (memory: Memory) => chat(memory, ['unity', 'shader'])],
      [
        'BELONGS_TO',
        'unity',
        'engine',
        (memory: Memory) => memory.keywords.record({ keywords: ['unity'], belongsTo: 'engine', ...SESSION }),
      ],
    ] as const) {
      it(`[M-4] 3. 1단계 관련 노드 탐색: (k)-[:${relation}]-(neighbor), in either direction`, async () => {
        for (const [keyword, neighbour] of [
          [from, to],
          [to, from],
        ] as const) {
          const memory = await engine.open();
          await tell(memory);
          assert.deepEqual((await about(memory, keyword)).relatedFound.nodes, [neighbour]);
        }
      });
    }

    it('[M-4] 3. WHERE NOT (i)-[:ABOUT]->(neighbor), WITH DISTINCT neighbor, r.depth = 1, r.viaKeyword', async () => {
      const memory = await engine.open();
      await connect(memory, ['unity', 'mirror'], ['unity', 'shader', 2], ['mirror', 'shader']);
      const { infoId, relatedFound } = await about(memory, 'unity', 'mirror');
      assert.deepEqual(relatedFound, { depth: 1, nodes: ['shader'], count: 1 });
      const { links } = await drawn(memory, infoId);
      const related = links.filter(({ type }) => type === 'RELATED_TO');
      assert.deepEqual(
        related.map(({ keyword, depth, viaKeyword }) => [keyword, depth, viaKeyword]),
        [['shader', '1', "'unity'"]],
      );
    });

    it('[M-5] 4. searchDepth 업데이트: SET i.searchDepth = $newDepth', async () => {
      const memory = await engine.open();
      const { infoId } = await about(memory, 'unity');
      for (const depth of [2, 3, 4]) {
        assert.equal((await memory.memo.expand({ infoId })).newDepth, depth);
        assert.equal((await drawn(memory, infoId)).nodes[0]?.searchDepth, `${depth}`);
      }
    });

    it('[M-5] 5. 추가 탐색 (depth +1): (i)-[:ABOUT|RELATED_TO]->(k), r.depth = $nextDepth', async () => {
      const memory = await engine.open();
      const left = ['a', 'b', 'c', 'd', 'e', 'f'];
      await connect(memory, ...left.map((name): [string, string, number] => ['unity', name, 2]), [
        'f',
        'far',
      ]);
      const { infoId, relatedFound } = await about(memory, 'unity');
      assert.equal(relatedFound.count, 5);
      const { newlyFound } = await memory.memo.expand({ infoId });
      const of = async (depth: string) =>
        (await drawn(memory, infoId)).links
          .filter((link) => link.depth === depth)
          .map(({ keyword }) => keyword);
      assert.deepEqual((await of('2')).sort(), newlyFound.toSorted());
      const rest = left.filter((name) => !relatedFound.nodes.includes(name));
      assert(
        rest.every((name) => newlyFound.includes(name)),
        'what is left around an ABOUT keyword is found, too',
      );
    });
  });

  describe('Memo: Incremental search logic', () => {
    it('[M-3] [M-4] [M-5] Depth 0, 1, 2 as they are drawn', async () => {
      const memory = await engine.open();
      await connect(memory, ['unity', 'mirror', 2], ['shader', 'multiplayer'], ['mirror', 'netcode', 2]);
      await connect(memory, ['multiplayer', 'server']);
      const { infoId, relatedFound } = await about(memory, 'unity', 'shader');
      assert.deepEqual(relatedFound.nodes, ['mirror', 'multiplayer']);
      assert.deepEqual((await memory.memo.expand({ infoId })).newlyFound, ['netcode', 'server']);
      const { links } = await memory.memo.list({ infoId });
      assert.deepEqual(links.map(({ depth, type, keyword }) => `${depth} ${type} ${keyword}`).sort(), [
        ...['0 ABOUT shader', '0 ABOUT unity', '1 RELATED_TO mirror', '1 RELATED_TO multiplayer'],
        ...['2 RELATED_TO netcode', '2 RELATED_TO server'],
      ]);
    });

    it('[M-5] 무한 확장 방지: 사용자 요청 시에만 다음 depth', async () => {
      const memory = await engine.open();
      await connect(memory, ['unity', 'mirror'], ['mirror', 'netcode']);
      const { infoId } = await about(memory, 'unity');
      await memory.keywords.record({ text: 'unity, mirror를 더 찾아줘', ...SESSION });
      await memory.memo.save({ fullText: '거울은 둘', keywords: ['mirror'], ...SESSION });
      await memory.memo.list({ infoId });
      const again = await engine.reopen(memory);
      assert.equal((await again.memo.list({ infoId })).memos[0]?.searchDepth, 1);
    });
  });
}
