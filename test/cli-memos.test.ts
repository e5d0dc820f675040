import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { describe, it } from 'node:test';
import { workbench } from './support/program.ts';

describe('CLI: keywords and memos', { concurrency: 2 }, () => {
  it('[M-1] [M-15] trigger says what a message asks for, and makes no memory', async (test) => {
    const bench = workbench(test, 'here');
    assert.equal(await bench.succeed(['trigger', '이거 메모해줘']), 'memo  because of "메모"\n');
    assert.equal(await bench.succeed(['trigger', 'Tell me MORE']), 'expand  because of "more"\n');
    const none = await bench.run(['trigger', 'anymore notebooks']);
    assert.deepEqual(none, { code: 1, stdout: 'none\n', stderr: '' });
    assert.deepEqual(JSON.parse(await bench.succeed(['trigger', '더 찾아줘', '--json'])), {
      trigger: 'expand',
      word: '더 찾아',
    });
    assert.equal((await bench.run(['trigger'])).code, 2);
    assert(!existsSync(bench.db));
  });

  it('[M-8] the quick commands: newest, about a keyword, links by depth, one memo as a tree by depth', async (test) => {
    const bench = workbench(test, 'here');
    await bench.succeed(['tool', 'keywords_record', 'Mirror에서 셰이더를 컴파일한다']);
    await bench.succeed(['tool', 'memo_save', '서버와 같은 프리팹을 쓴다', '--keywords', 'Mirror']);
    assert.match(await bench.succeed(['tool', 'memo_expand']), /nothing new at depth 2/);
    const newest = await bench.succeed(['tool', 'memo_list']);
    assert.match(newest, /^서버와 같은 프리팹을 쓴다\n {2}mirror {2}2 related, depth 2\n/);
    assert.equal(await bench.succeed(['tool', 'memo_list', 'MIRROR']), newest);
    assert.equal(await bench.succeed(['tool', 'memo_list', '셰이더']), 'Nothing found in workspace bench.\n');
    assert.match(await bench.succeed(['tool', 'memo_list', '--view', 'links']), /│ 1 +│ 셰이더 +│ mirror/);
    const [id = ''] = newest.match(/\b[\da-f]{8}\b/) ?? [];
    const tree = await bench.succeed(['tool', 'memo_list', '--info-id', id]);
    assert.equal(
      tree.slice(tree.indexOf('├')),
      '├─ about\n│  └─ mirror\n└─ depth 1\n   ├─ 셰이더  via mirror\n   └─ 컴파일  via mirror\nworkspace bench\n',
    );
  });

  it('[M-10] export writes statements to standard output, and names the formats it knows', async (test) => {
    const bench = workbench(test, 'here');
    await bench.succeed(['tool', 'keywords_record', '--keywords', "it's"]);
    const lines = (await bench.succeed(['export', '--format', 'cypher'])).trim().split('\n');
    assert(lines.some((line) => line.startsWith("MERGE (n:`it's` {name: 'it\\'s'}) SET n:Keyword")));
    for (const wrong of [['export'], ['export', '--format', 'csv']]) {
      const { code, stderr, stdout } = await bench.run(wrong);
      assert.deepEqual([code, stdout], [2, '']);
      assert.match(stderr, /--format/);
    }
  });
});
