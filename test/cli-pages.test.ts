import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { workbench } from './support/program.ts';

/** Memos that share most words are named beside each other. */
const APART = [
  '거실 시계의 태엽을 아침마다 감는다',
  '새해에는 부엌 벽에 큼직한 달력을 건다',
  '비가 오는 날에는 현관에 우산과 장화를 챙겨 둔다',
];
const MORE = /^more: --cursor ([\da-z.-]+)$/m;

describe('CLI: pages', { concurrency: 2 }, () => {
  it('[W-6] a listing says how to get the next page, and the last one says nothing', async (test) => {
    const bench = workbench(test, 'here');
    for (const n of [1, 2, 3]) {
      await bench.succeed([
        'tool',
        'mama_save',
        `인증:${n}`,
        `토큰 ${n}`,
        '--scope',
        'global',
        '--strength',
        'axis',
      ]);
      await bench.succeed(['tool', 'mem_save', `시계 ${n}`, `토큰이 거절되었다 ${n}`]);
      await bench.succeed(['tool', 'memo_save', `${APART[n - 1]} 토큰 메모 ${n}`, '--keywords', '토큰']);
    }
    const listings: [words: string[], shown: RegExp, pages: number][] = [
      [['tool', 'mama_search'], /토큰 \d/g, 3],
      [['tool', 'mama_search', '토큰'], /토큰 \d/g, 3],
      [['list', 'notes'], /거절되었다 \d/g, 3],
      [['search', '토큰'], /(?:거절되었다|메모|토큰) \d/g, 9],
      [['tool', 'memo_list', '토큰'], /메모 \d/g, 3],
      [['tool', 'decision_retrieve'], /토큰 \d/g, 3],
    ];
    for (const [words, shown, count] of listings) {
      const found: string[] = [];
      let pages = 0;
      for (let cursor: string[] = []; ; pages++) {
        const page = await bench.succeed([...words, '--limit', '1', ...cursor]);
        found.push(...(page.match(shown) ?? []));
        const [, next] = page.match(MORE) ?? [];
        if (next === undefined) break;
        cursor = ['--cursor', next];
      }
      assert.deepEqual([pages + 1, new Set(found).size], [count, count], `${words}: ${found}`);
    }
  });

  it('[W-6] a cursor that no answer gave is refused, and said so', async (test) => {
    const bench = workbench(test, 'here');
    await bench.succeed(['tool', 'mem_save', 'a', 'b']);
    const { code, stdout, stderr } = await bench.run(['tool', 'mem_search', '--cursor', '17']);
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(
      stderr,
      /Expected "cursor" from an answer to the same question, found "17"\. Give the cursor/,
    );
  });
});
