import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Memory } from '../../src/index.ts';
import type { EngineUnderTest } from '../support/engines.ts';
import { refuses } from '../support/expect.ts';
import { cypherOf, naming, programOn, rowsOf, UUID } from './given.ts';

const ID = '550e8400-e29b-41d4-a716-446655440000';
/** The conversation of every test. */
const SESSION = { sessionId: '대화' };
const ANSWER = 'Mirror 네트워킹에서 NetworkManager 설정 방법: 씬에 하나만 둔다';

/** Tells the memory of a message about two keywords, so often, each time in a conversation of its own. */
export async function connect(memory: Memory, ...pairs: [string, string, times?: number][]): Promise<void> {
  for (const [one, other, times = 1] of pairs) {
    for (let n = 0; n < times; n++) {
      await memory.keywords.record({ keywords: [one, other], sessionId: crypto.randomUUID() });
    }
  }
}

/** The properties of a statement's node or relation, as texts. */
const propertiesOf = (set = '') =>
  Object.fromEntries(
    [...set.matchAll(/(\w+): ('(?:[^'\\]|\\.)*'|[^,}]+)/g)].map((match) => [match[1], match[2]]),
  );

/** A memo as the Cypher export draws it: its node, and each relation from it to a keyword. */
export async function drawn(memory: Memory, infoId: string) {
  const statements = (await cypherOf(memory)).filter((line) => line.includes(`:_Info {id: '${infoId}'}`));
  const node = statements.flatMap(
    (line) => line.match(/^MERGE \(n:_Info .*? SET n \+= \{(.*)\};$/)?.[1] ?? [],
  );
  const links = statements.flatMap((line) => {
    const [, keyword, type, set] =
      line.match(
        /^MATCH \(a:_Info .*?\) MATCH \(b:Keyword \{name: '(.*?)'\}\) MERGE \(a\)-\[r:(\w+)\]->\(b\) SET r \+= \{(.*)\};$/,
      ) ?? [];
    return keyword === undefined ? [] : [{ keyword, type, ...propertiesOf(set) } as Record<string, string>];
  });
  return { nodes: node.map(propertiesOf), links };
}

/** Memo: the two orders of steps, the checks, the flows and the schemas of nodes and relations. */
export function memo(engine: EngineUnderTest): void {
  /** A memory that knows unity, mirror and networking with their neighbours, and the memo of the specification. */
  async function noted() {
    const { newId, next } = naming();
    const memory = await engine.open({ newId });
    await connect(memory, ['unity', 'shader', 2], ['mirror', 'multiplayer'], ['shader', 'netcode', 2]);
    await connect(memory, ['multiplayer', 'server']);
    next(ID);
    const input = { fullText: ANSWER, keywords: ['unity', 'mirror', 'networking'], ...SESSION };
    return { memory, saved: await memory.memo.save(input) };
  }

  describe('Memo: How to update, 실행 순서 (메모 생성)', () => {
    it('[M-2] 1. 핵심 키워드 추출 (복수)', async () => {
      const memory = await engine.open();
      const { keywords } = await memory.memo.save({ fullText: ANSWER, ...SESSION });
      for (const keyword of ['mirror', '네트워킹', 'networkmanager', '설정'])
        assert(keywords.includes(keyword), keyword);
    });

    it('[M-2] 2. 답변 내용 요약 (max 200자)', async () => {
      const memory = await engine.open();
      const { infoId, summary } = await memory.memo.save({
        fullText: '씬에 하나만 둔다. '.repeat(45),
        ...SESSION,
      });
      assert(summary.length > 0 && [...summary].length <= 200, summary);
      assert.equal((await memory.memo.list({ infoId })).memos[0]?.summary, summary);
    });

    it('[M-2] [M-10] 3. :_Info 노드 생성', async () => {
      const { memory } = await noted();
      assert.equal((await drawn(memory, ID)).nodes.length, 1);
    });

    it('[M-3] 4. 키워드 노드와 [:ABOUT] 관계 연결', async () => {
      const { memory } = await noted();
      const about = (await drawn(memory, ID)).links.filter(({ type }) => type === 'ABOUT');
      assert.deepEqual(about.map(({ keyword }) => keyword).sort(), ['mirror', 'networking', 'unity']);
    });

    it('[M-4] 5. 1단계 관련 노드 탐색 → [:RELATED_TO] 연결', async () => {
      const { memory } = await noted();
      const related = (await drawn(memory, ID)).links.filter(({ type }) => type === 'RELATED_TO');
      assert.deepEqual(related.map(({ keyword }) => keyword).sort(), ['multiplayer', 'shader']);
    });

    it('[M-6] 6. 세션에 lastMemoId, lastMemoDepth 저장', async () => {
      const { memory, saved } = await noted();
      assert.deepEqual([saved.session.lastMemoId, saved.session.lastMemoDepth], [ID, 1]);
      const conversation = (await rowsOf(memory, 'conversations')).find(
        ({ sessionId }) => sessionId === '대화',
      );
      const [row] = await rowsOf(memory, 'memos');
      assert.deepEqual([conversation?.lastMemoSeq, row?.searchDepth], [row?.seq, 1]);
    });
  });

  describe('Memo: How to update, 실행 순서 (추가 탐색)', () => {
    it('[M-5] [M-6] 1. 세션에서 lastMemoId 로드', async () => {
      const { memory } = await noted();
      assert.equal((await memory.memo.expand(SESSION)).infoId, ID);
    });

    it('[M-5] 2. 현재 연결된 노드들의 이웃 탐색 (depth +1)', async () => {
      const { memory } = await noted();
      const { previousDepth, newDepth, newlyFound } = await memory.memo.expand(SESSION);
      assert.deepEqual([previousDepth, newDepth, newlyFound], [1, 2, ['netcode', 'server']]);
    });

    it('[M-5] 3. 새로 발견된 노드에 [:RELATED_TO] 연결', async () => {
      const { memory } = await noted();
      await memory.memo.expand(SESSION);
      const found = (await drawn(memory, ID)).links.filter(({ depth }) => depth === '2');
      assert.deepEqual(found.map(({ type, keyword }) => `${type} ${keyword}`).sort(), [
        'RELATED_TO netcode',
        'RELATED_TO server',
      ]);
    });

    it('[M-5] 4. searchDepth 업데이트', async () => {
      const { memory } = await noted();
      await memory.memo.expand(SESSION);
      assert.equal((await drawn(memory, ID)).nodes[0]?.searchDepth, '2');
      assert.equal((await memory.memo.list({ infoId: ID })).memos[0]?.searchDepth, 2);
    });
  });

  describe('Memo: How to update, 체크사항', () => {
    it('[M-2] UUID 형식의 info_id', async () => {
      const memory = await engine.open();
      assert.match((await memory.memo.save({ fullText: ANSWER, ...SESSION })).infoId, UUID);
    });

    it('[M-2] summary 최대 200자', async () => {
      const memory = await engine.open();
      const summary = '가'.repeat(200);
      assert.equal((await memory.memo.save({ fullText: ANSWER, summary, ...SESSION })).summary, summary);
      const longer = { fullText: ANSWER, summary: `${summary}가`, ...SESSION };
      await refuses(memory.call('memo_save', longer), 'invalid', 'summary', '200', '201');
    });

    it('[M-4] 탐색 시 중복 연결 방지', async () => {
      const { memory } = await noted();
      await connect(memory, ['unity', 'mirror'], ['shader', 'multiplayer'], ['netcode', 'unity']);
      for (let step = 0; step < 4; step++) await memory.memo.expand(SESSION);
      const keywords = (await drawn(memory, ID)).links.map(({ keyword }) => keyword);
      assert.deepEqual(keywords.toSorted(), [...new Set(keywords)].sort());
      assert.equal(keywords.length, 7);
    });

    it('[M-4] [M-5] depth별 최대 5개 노드 제한', async () => {
      const memory = await engine.open();
      await connect(
        memory,
        ...Array.from({ length: 12 }, (_, n): [string, string] => ['unity', `이웃 ${n}`]),
      );
      const { relatedFound } = await memory.memo.save({ fullText: ANSWER, keywords: ['unity'], ...SESSION });
      const counts = [relatedFound.count];
      for (let step = 0; step < 3; step++) counts.push((await memory.memo.expand(SESSION)).newlyFound.length);
      assert.deepEqual(counts, [5, 5, 2, 0]);
    });

    it('[M-6] 세션 상태 업데이트: the newest memo of the conversation is its last', async () => {
      const { memory } = await noted();
      const next = await memory.memo.save({ fullText: '다음 메모', keywords: ['shader'], ...SESSION });
      assert.equal((await memory.memo.expand(SESSION)).infoId, next.infoId);
    });
  });

  describe('Memo: Execution flow', () => {
    it('[M-1] [M-7] OnMemoRequest: "이거 메모해줘", then OnExpandRequest: "관련된 거 더 찾아줘", over MCP', async (test) => {
      const server = await programOn(engine, test).connect();
      const tell = (text: string) => server.call('keywords_record', { text, ...SESSION });
      await tell('Mirror 네트워킹');
      const asked = await tell('이거 메모해줘');
      assert.equal(asked.trigger, 'memo');
      assert.equal((await server.call('memo_list')).total, 0, 'that a message asks for it makes no memo');
      const saved = await server.call('memo_save', { fullText: ANSWER, keywords: ['mirror'], ...SESSION });
      assert.equal((await tell('관련된 거 더 찾아줘')).trigger, 'expand');
      assert.equal((await server.call('memo_list')).memos[0]?.searchDepth, 1, 'nor does it expand one');
      const expanded = await server.call('memo_expand', SESSION);
      assert.deepEqual([saved.action, expanded.action], ['memo_created', 'memo_expanded']);
      assert.deepEqual([expanded.infoId, expanded.newDepth], [saved.infoId, 2]);
    });
  });

  describe('Memo: Node schemas', () => {
    it('[M-2] [M-10] :_Info: id, summary, fullText, createdAt, source, searchDepth', async () => {
      const { memory } = await noted();
      const [node] = (await drawn(memory, ID)).nodes;
      const { createdAt = '', summary, ...rest } = node ?? {};
      assert.match(createdAt, /^\d{13}$/, 'long, in milliseconds');
      assert(summary, 'made from the text');
      assert.deepEqual(rest, { fullText: `'${ANSWER}'`, source: "'Memo'", searchDepth: '1' });
      const [shown] = (await memory.memo.list({ infoId: ID })).memos;
      assert.deepEqual([shown?.infoId, shown?.fullText, shown?.source], [ID, ANSWER, 'Memo']);
    });

    it('[M-2] fullText: 원문 (max 500자)', async () => {
      const memory = await engine.open();
      const fullText = '가'.repeat(500);
      const { infoId } = await memory.memo.save({ fullText, keywords: ['unity'], ...SESSION });
      assert.equal((await memory.memo.list({ infoId })).memos[0]?.fullText, fullText);
      const longer = { fullText: `${fullText}가`, ...SESSION };
      await refuses(memory.call('memo_save', longer), 'invalid', 'fullText', '500', '501');
    });

    it('[M-3] [M-4] 관계 타입: [:ABOUT] and [:RELATED_TO], :_Info → :Keyword', async () => {
      const { memory } = await noted();
      const types = new Set((await drawn(memory, ID)).links.map(({ type }) => type));
      assert.deepEqual([...types].sort(), ['ABOUT', 'RELATED_TO']);
    });

    it('[M-4] [:RELATED_TO] 속성: discoveredAt, depth, viaKeyword', async () => {
      const { memory } = await noted();
      const { links } = await drawn(memory, ID);
      const { discoveredAt = '', ...rest } = links.find(({ keyword }) => keyword === 'shader') ?? {};
      assert.match(discoveredAt, /^\d{13}$/);
      assert.deepEqual(rest, { keyword: 'shader', type: 'RELATED_TO', depth: '1', viaKeyword: "'unity'" });
    });
  });
}
