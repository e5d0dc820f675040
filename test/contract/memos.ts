import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Memory } from '../../src/index.ts';
import { type EngineUnderTest, fixed } from '../support/engines.ts';
import { refuses } from '../support/expect.ts';

const UUID = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

/** Records that two keywords occur together, so often, each time in a session of its own. */
async function connect(memory: Memory, pairs: [string, string, times?: number][]): Promise<void> {
  let session = 0;
  for (const [one, other, times = 1] of pairs) {
    for (let n = 0; n < times; n++) {
      await memory.keywords.record({ keywords: [one, other], sessionId: `${one} ${other} ${session++}` });
    }
  }
}

/** What each further step finds, until three steps find nothing. */
async function expandAll(memory: Memory, infoId: string): Promise<string[][]> {
  const steps: string[][] = [];
  while (!steps.slice(-3).every((step) => step.length === 0) || steps.length < 3) {
    steps.push((await memory.memo.expand({ infoId })).newlyFound);
  }
  return steps;
}

/** Memos: made, explored a step at a time, listed. */
export function memos(engine: EngineUnderTest): void {
  describe('memos', () => {
    it('[M-2] [M-3] [M-4] [M-7] saving answers exactly in the published shape, after one step', async () => {
      const memory = await engine.open();
      await connect(memory, [
        ['unity', 'shader'],
        ['mirror', 'multiplayer'],
        ['shader', 'hlsl'],
      ]);
      const saved = await memory.memo.save({
        fullText: 'Mirror 네트워킹에서 NetworkManager 설정 방법',
        summary: 'NetworkManager 설정',
        keywords: ['Unity', 'mirror', 'unity', 'never seen'],
      });
      assert.match(saved.infoId, UUID);
      const keywords = ['unity', 'mirror', 'never seen'];
      assert.deepEqual(saved, {
        action: 'memo_created',
        infoId: saved.infoId,
        summary: 'NetworkManager 설정',
        keywords,
        relatedFound: { depth: 1, nodes: ['multiplayer', 'shader'], count: 2 },
        session: { lastMemoId: saved.infoId, lastMemoDepth: 1, lastMemoKeywords: keywords },
      });
    });

    it('[M-5] [M-7] expanding answers exactly in the published shape, one depth further', async () => {
      const memory = await engine.open();
      await connect(memory, [
        ['a', 'b'],
        ['b', 'c'],
        ['c', 'd'],
      ]);
      const { infoId } = await memory.memo.save({ fullText: 'x', keywords: ['a'] });
      const expanded = {
        action: 'memo_expanded',
        infoId,
        previousDepth: 1,
        newDepth: 2,
        newlyFound: ['c'],
        totalRelated: 2,
      };
      assert.deepEqual(await memory.memo.expand(), expanded);
      const next = { ...expanded, previousDepth: 2, newDepth: 3, newlyFound: ['d'], totalRelated: 3 };
      assert.deepEqual(await memory.memo.expand(), next);
      const end = { ...next, previousDepth: 3, newDepth: 4, newlyFound: [] };
      assert.deepEqual(await memory.memo.expand({ infoId }), end, 'nothing is left, and still one depth');
      assert.deepEqual(await memory.memo.expand({ infoId }), { ...end, previousDepth: 4, newDepth: 5 });
    });

    it('[M-4] [M-5] a step takes the five strongest: by all relations in both directions, newest, then name', async () => {
      const memory = await engine.open({ ...fixed(), clock: () => 0 });
      await connect(memory, [
        ['hub', 'thrice', 3],
        ['twice', 'hub', 2],
        ['hub', 'b'],
        ['a', 'hub'],
        ['hub', 'c'],
        ['hub', 'd'],
      ]);
      // 0.5 for occurring together, and 1 for each direction in which one followed the other.
      for (const keyword of ['hub', 'followed', 'hub']) {
        await memory.keywords.record({ keywords: [keyword], sessionId: 'chat' });
      }
      const { infoId, relatedFound } = await memory.memo.save({ fullText: 'x', keywords: ['hub'] });
      assert.deepEqual(relatedFound.nodes, ['followed', 'thrice', 'twice', 'a', 'b']);
      assert.deepEqual((await memory.memo.expand({ infoId })).newlyFound, ['c', 'd']);
    });

    it('[M-5] of two connections as strong, the newer comes first', async () => {
      const memory = await engine.open(fixed());
      await connect(memory, [
        ['hub', 'a'],
        ['hub', 'b'],
      ]);
      const { relatedFound } = await memory.memo.save({ fullText: 'x', keywords: ['hub'] });
      assert.deepEqual(relatedFound.nodes, ['b', 'a']);
    });

    it('[M-5] neighbours of the last depth come before what the nearer ones left over, however weak', async () => {
      const memory = await engine.open({ ...fixed(), clock: () => 0 });
      const left = ['s1', 's2', 's3', 's4', 's5', 's6', 's7'];
      await connect(memory, [
        ...left.map((name): [string, string, number] => ['hub', name, 3]),
        ['s1', 'far'],
        ['s2', 'far'],
      ]);
      const { infoId, relatedFound } = await memory.memo.save({ fullText: 'x', keywords: ['hub'] });
      assert.deepEqual(relatedFound.nodes, left.slice(0, 5));
      assert.deepEqual((await memory.memo.expand({ infoId })).newlyFound, ['far', 's6', 's7']);
      const { links } = await memory.memo.list({ infoId });
      assert.deepEqual(
        links.filter(({ depth }) => depth === 2).map(({ keyword, viaKeyword }) => [keyword, viaKeyword]),
        [
          ['far', 's1'],
          ['s6', 'hub'],
          ['s7', 'hub'],
        ],
      );
    });

    it('[M-4] [M-5] exploring reaches every keyword once, five at most a step, and never by itself', async () => {
      const memory = await engine.openFast();
      const names = Array.from({ length: 40 }, (_, n) => `k${n}`);
      await connect(
        memory,
        names.flatMap((name, n): [string, string][] => [
          [name, names[(n * 7 + 3) % 40] ?? ''],
          [name, names[(n * 11 + 1) % 40] ?? ''],
        ]),
      );
      const saved = await memory.memo.save({ fullText: 'x', keywords: ['k0', 'k1'] });
      assert.equal((await memory.memo.list({ infoId: saved.infoId })).memos[0]?.searchDepth, 1);
      const steps = [saved.relatedFound.nodes, ...(await expandAll(memory, saved.infoId))];
      assert(steps.every((step) => step.length <= 5));
      const found = [...saved.keywords, ...steps.flat()];
      assert.deepEqual(found.toSorted(), names.toSorted(), 'each once');
    });

    it('[M-6] a session remembers its last memo across restarts, whatever other sessions do', async () => {
      const memory = await engine.open();
      await connect(memory, [
        ['a', 'b'],
        ['x', 'y'],
      ]);
      const mine = await memory.memo.save({ fullText: 'old', keywords: ['q'], sessionId: 's' });
      const last = await memory.memo.save({ fullText: 'mine', keywords: ['a'], sessionId: 's' });
      await memory.memo.save({ fullText: 'theirs', keywords: ['x'], sessionId: 't' });
      await memory.memo.expand({ infoId: mine.infoId });
      const again = await engine.reopen(memory);
      const expanded = await again.memo.expand({ sessionId: 's' });
      assert.deepEqual([expanded.infoId, expanded.previousDepth], [last.infoId, 1]);
    });

    it('[M-2] a missing summary and missing keywords are made from the text', async () => {
      const memory = await engine.open();
      const short = await memory.memo.save({ fullText: '토큰은 쿠키에\n 저장했다.' });
      assert.deepEqual(
        [short.summary, short.keywords],
        ['토큰은 쿠키에 저장했다.', ['토큰', '쿠키', '저장']],
      );
      const long = await memory.memo.save({ fullText: `${'첫 문장이다. '.repeat(60).trim()}` });
      assert([...long.summary].length <= 200 && long.summary.endsWith('문장이다.'), long.summary);
      const whole = await memory.memo.list({ infoId: long.infoId });
      assert.equal(whole.memos[0]?.fullText, '첫 문장이다. '.repeat(60).trim(), 'the text itself is not cut');
    });

    it('[M-2] over-long texts are refused with the limit and what to do, and nothing is cut or left behind', async () => {
      const memory = await engine.open();
      const save = (input: object) => memory.call('memo_save', { keywords: ['k'], ...input });
      for (const character of ['a', '벽', '🙂']) {
        await save({ fullText: character.repeat(500), summary: character.repeat(200) });
        await refuses(save({ fullText: character.repeat(501) }), 'invalid', '500', '501', 'mem_save');
        const summary = character.repeat(201);
        await refuses(save({ fullText: 'x', summary }), 'invalid', '200', '201', 'leave it out');
      }
      await refuses(memory.memo.save({ fullText: '!!!' }), 'invalid', 'keywords');
      await refuses(save({ fullText: ' ' }), 'invalid', 'fullText');
      assert.equal((await memory.memo.list()).total, 3);
      assert.equal((await memory.mem.stats()).records.keyword, 1);
    });

    it('[M-5] a session without a memo and an unknown memo are clear errors', async () => {
      const memory = await engine.open();
      await refuses(memory.memo.expand(), 'not_found', 'this conversation', 'memo_save');
      await memory.keywords.record({ keywords: ['a'], sessionId: 's' });
      await refuses(memory.memo.expand({ sessionId: 's' }), 'not_found', '"s"', 'memo_save');
      await refuses(memory.memo.expand({ infoId: 'nope' }), 'not_found', 'nope', 'recall');
      await refuses(memory.memo.expand({ infoId: 'x', sessionId: 's' }), 'invalid', 'both');
      await refuses(memory.memo.list({ infoId: 'nope' }), 'not_found', 'nope');
      await refuses(memory.memo.list({ infoId: 'x', keyword: 'k' }), 'invalid', 'both');
    });

    it('[M-8] lists the newest memos, those about a keyword, links by depth, and the graph of one', async () => {
      const memory = await engine.open(fixed());
      await connect(memory, [
        ['unity', 'shader'],
        ['shader', 'hlsl'],
      ]);
      const first = await memory.memo.save({ fullText: 'the first memo', keywords: ['unity'] });
      const second = await memory.memo.save({ fullText: 'the second memo', keywords: ['unity', 'redis'] });
      const third = await memory.memo.save({ fullText: 'the third memo', keywords: ['redis'] });
      await memory.memo.expand({ infoId: first.infoId });

      const newest = await memory.memo.list({ limit: 2 });
      assert.deepEqual(
        newest.memos.map(({ summary, keywords, searchDepth, related }) => [
          summary,
          keywords,
          searchDepth,
          related,
        ]),
        [
          ['the third memo', ['redis'], 1, 1],
          ['the second memo', ['redis', 'unity'], 1, 1],
        ],
      );
      assert.deepEqual([newest.total, newest.links], [3, []]);

      const about = await memory.memo.list({ keyword: 'Unity' });
      assert.deepEqual(
        about.memos.map(({ summary }) => summary),
        ['the second memo', 'the first memo'],
      );
      const explored = await memory.memo.list({ keyword: 'shader' });
      assert.deepEqual([explored.total, explored.memos], [0, []], 'found, not about');
      assert.equal((await memory.memo.list({ keyword: 'unheard of' })).total, 0);

      const found = await memory.memo.list({ view: 'links' });
      assert.deepEqual(
        found.links.map(({ infoId, type, depth, keyword }) => [infoId, type, depth, keyword]),
        [
          [third.infoId, 'RELATED_TO', 1, 'unity'],
          [second.infoId, 'RELATED_TO', 1, 'shader'],
          [first.infoId, 'RELATED_TO', 1, 'shader'],
          [first.infoId, 'RELATED_TO', 2, 'hlsl'],
          [first.infoId, 'RELATED_TO', 2, 'redis'],
        ],
      );
      assert.equal((await memory.memo.list({ view: 'links', keyword: 'redis' })).total, 2);
      const one = await memory.memo.list({ infoId: first.infoId });
      assert.deepEqual(
        one.links.map(({ type, depth, keyword, viaKeyword }) => [type, depth, keyword, viaKeyword]),
        [
          ['ABOUT', 0, 'unity', null],
          ['RELATED_TO', 1, 'shader', 'unity'],
          ['RELATED_TO', 2, 'hlsl', 'shader'],
          ['RELATED_TO', 2, 'redis', 'unity'],
        ],
      );
      const [whole] = one.memos;
      assert.deepEqual([whole?.fullText, whole?.source, whole?.related], ['the first memo', 'Memo', 3]);
      const said = await memory.keywords.record({ keywords: ['shader', 'redis'] });
      assert.deepEqual(
        said.memos.map(({ summary }) => summary),
        ['the third memo', 'the second memo'],
        'of a memo that only explored a keyword nothing is said',
      );
    });

    it('[D-16] what is private is in no memo', async () => {
      const memory = await engine.open();
      const { infoId, keywords } = await memory.memo.save({
        fullText: 'The key is <private>hunter2</private>, rotate weekly',
      });
      assert.deepEqual(keywords, ['key', 'rotate', 'weekly']);
      const { memos } = await memory.memo.list({ infoId });
      assert.equal(memos[0]?.fullText, 'The key is [REDACTED], rotate weekly');
    });

    it('two that expand at once each go one depth', async () => {
      const memory = await engine.open();
      const other = await engine.reopen(memory);
      await connect(memory, [
        ['a', 'b'],
        ['b', 'c'],
        ['c', 'd'],
      ]);
      const { infoId } = await memory.memo.save({ fullText: 'x', keywords: ['a'] });
      const both = await Promise.all([memory, other].map((each) => each.memo.expand({ infoId })));
      assert.deepEqual(both.map(({ newDepth }) => newDepth).sort(), [2, 3]);
      assert.deepEqual(both.flatMap(({ newlyFound }) => newlyFound).sort(), ['c', 'd']);
    });
  });
}
