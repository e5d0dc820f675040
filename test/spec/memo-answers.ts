import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type EngineUnderTest, fixed } from '../support/engines.ts';
import { naming, programOn, rowsOf } from './given.ts';
import { connect } from './memo.ts';
import { about, chat, ID, SESSION } from './memo-graph.ts';

const SUMMARY = 'Mirror 네트워킹에서 NetworkManager 설정...';

/** Memo: session state, output schemas, quick commands, AfterChat. */
export function memoAnswers(engine: EngineUnderTest): void {
  describe('Memo: Session state, Output schema', () => {
    it('[M-6] Session state: lastMemoId, lastMemoDepth, lastMemoKeywords, also after a restart', async () => {
      const place = engine.place();
      const { newId, next } = naming();
      const memory = await engine.open({ ...place, newId });
      next(ID);
      const { session } = await about(memory, 'unity', 'shader');
      assert.deepEqual(session, { lastMemoId: ID, lastMemoDepth: 1, lastMemoKeywords: ['unity', 'shader'] });
      await memory.close();
      const again = await engine.open({ ...place });
      const { infoId, previousDepth } = await again.memo.expand(SESSION);
      assert.deepEqual([infoId, previousDepth], [ID, 1]);
    });

    it('[M-7] 메모 생성 결과, 추가 탐색 결과: key by key', async () => {
      const { newId, next } = naming();
      const memory = await engine.open({ newId });
      await connect(memory, ['unity', 'shader', 2], ['mirror', 'multiplayer'], ['shader', 'netcode', 2]);
      await connect(memory, ['multiplayer', 'server']);
      next(ID);
      const keywords = ['unity', 'mirror', 'networking'];
      assert.deepEqual(await memory.memo.save({ fullText: '...', summary: SUMMARY, keywords, ...SESSION }), {
        action: 'memo_created',
        infoId: ID,
        summary: SUMMARY,
        keywords: ['unity', 'mirror', 'networking'],
        relatedFound: { depth: 1, nodes: ['shader', 'multiplayer'], count: 2 },
        session: { lastMemoId: ID, lastMemoDepth: 1, lastMemoKeywords: ['unity', 'mirror', 'networking'] },
      });
      assert.deepEqual(await memory.memo.expand(SESSION), {
        action: 'memo_expanded',
        infoId: ID,
        previousDepth: 1,
        newDepth: 2,
        newlyFound: ['netcode', 'server'],
        totalRelated: 4,
      });
    });
  });

  describe('Memo: Quick command', () => {
    it('[M-8] 모든 정보 노드 조회: ORDER BY i.createdAt DESC LIMIT 10', async () => {
      const memory = await engine.open(fixed());
      for (let n = 1; n <= 11; n++) {
        await memory.memo.save({ fullText: `${n}번째`, summary: `${n}`, keywords: ['unity'], ...SESSION });
      }
      const { memos } = await memory.memo.list();
      assert.deepEqual(
        memos.map(({ summary, searchDepth }) => [summary, searchDepth]),
        [11, 10, 9, 8, 7, 6, 5, 4, 3, 2].map((n) => [`${n}`, 1]),
      );
    });

    it('[M-8] 특정 키워드에 연결된 정보, 탐색 깊이별 연결 현황, 특정 메모의 전체 연결 그래프: by command', async (test) => {
      const { open, answer } = programOn(engine, test);
      const memory = await open();
      await connect(memory, ['unity', 'mirror'], ['mirror', 'netcode'], ['redis', 'cache']);
      const { infoId } = await about(memory, 'unity');
      const input = { fullText: '캐시는 하루 뒤에 비운다', keywords: ['redis'], ...SESSION };
      const other = await memory.memo.save(input);
      await memory.memo.expand({ infoId });
      const ofUnity = await answer('tool', 'memo_list', 'unity');
      assert.deepEqual(
        ofUnity.memos.map((each: { summary: string; createdAt: string }) => [
          each.summary,
          typeof each.createdAt,
        ]),
        [['씬에 하나만 둔다', 'string']],
      );
      type Link = { infoId: string; type: string; depth: number; keyword: string };
      const byDepth = await answer('tool', 'memo_list', '--view', 'links');
      assert.deepEqual(
        byDepth.links.map((each: Link) => [each.infoId, each.depth, each.keyword]),
        [
          [other.infoId, 1, 'cache'],
          [infoId, 1, 'mirror'],
          [infoId, 2, 'netcode'],
        ],
      );
      const graph = await answer('tool', 'memo_list', '--info-id', infoId);
      assert.deepEqual(
        [graph.memos[0].infoId, ...graph.links.map((each: Link) => `${each.type} ${each.keyword}`)],
        [infoId, 'ABOUT unity', 'RELATED_TO mirror', 'RELATED_TO netcode'],
      );
    });
  });

  describe('Memo: Integration with AfterChat', () => {
    it('[M-9] AfterChat (매 메시지): 키워드 노드 생성, 관계 생성', async () => {
      const memory = await engine.open();
      await chat(memory, ['unity', 'mirror'], ['shader']);
      const names = (await rowsOf(memory, 'keywords')).map(({ name }) => name);
      assert.deepEqual(names, ['unity', 'mirror', 'shader']);
      const types = (await rowsOf(memory, 'keywordRelations')).map(({ type }) => type);
      assert.deepEqual(types.toSorted(), ['CO_OCCURS', 'FOLLOWED_BY', 'FOLLOWED_BY']);
    });

    it('[M-3] [M-9] Memo는 기존 키워드 노드에 :_Info를 연결, and makes no second node', async () => {
      const memory = await engine.open();
      await chat(memory, ['unity', 'mirror']);
      const before = await rowsOf(memory, 'keywords');
      await about(memory, 'Unity', 'mirror');
      assert.deepEqual(await rowsOf(memory, 'keywords'), before);
      const links = await rowsOf(memory, 'memoLinks');
      assert.deepEqual(
        links.map(({ keywordSeq }) => keywordSeq),
        before.map(({ seq }) => seq),
      );
    });

    it('[M-4] [M-9] FOLLOWED_BY, CO_OCCURS 관계를 탐색에 활용', async () => {
      const memory = await engine.open();
      await chat(memory, ['unity', 'mirror'], ['netcode']);
      const { relatedFound } = await about(memory, 'unity');
      assert.deepEqual(relatedFound.nodes.toSorted(), ['mirror', 'netcode']);
    });
  });
}
