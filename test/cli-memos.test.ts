import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { describe, it } from 'node:test';
import { resultOf, workbench } from './support/program.ts';

describe('CLI: keywords and memos', { concurrency: 2 }, () => {
  it('[M-1] [M-15] trigger says what a message asks for, and makes no memory', async (test) => {
    const bench = workbench(test, 'here');
    assert.equal(await bench.succeed(['tool', 'trigger', '이거 메모해줘']), 'memo  because of "메모"\n');
    assert.equal(await bench.succeed(['tool', 'trigger', 'Tell me MORE']), 'expand  because of "more"\n');
    const none = await bench.run(['tool', 'trigger', 'anymore notebooks']);
    assert.deepEqual(none, { code: 1, stdout: 'none\n', stderr: '' });
    assert.deepEqual(JSON.parse(await bench.succeed(['tool', 'trigger', '더 찾아줘', '--json'])), {
      trigger: 'expand',
      word: '더 찾아',
    });
    assert.equal((await bench.run(['tool', 'trigger'])).code, 2);
    assert(!existsSync(bench.db));
  });

  it('[M-8] the quick commands: newest, about a keyword, links by depth, one memo as a tree by depth', async (test) => {
    const bench = workbench(test, 'here');
    await bench.succeed(['tool', 'keywords_record', 'Mirror에서 셰이더를 컴파일한다']);
    await bench.succeed(['tool', 'memo_save', '서버와 같은 프리팹을 쓴다', '--keywords', 'Mirror']);
    const none = await bench.run(['tool', 'memo_expand']);
    assert.match(none.stdout, /nothing new at depth 2/);
    assert.match(none.stderr, /^precedent: Nothing is left to find around this memo/);
    const newest = await bench.succeed(['tool', 'memo_list']);
    assert.match(newest, /^서버와 같은 프리팹을 쓴다\n {2}mirror {2}2 related, depth 2\n/);
    assert.equal(await bench.succeed(['tool', 'memo_list', 'MIRROR']), newest);
    assert.equal(
      await bench.succeed(['tool', 'memo_list', '셰이더']),
      'No memo passes keyword "셰이더" in workspace bench (1 without it; there are mirror 1).\n',
    );
    assert.match(await bench.succeed(['tool', 'memo_list', '--view', 'links']), /^1\t셰이더\tmirror/m);
    const [id = ''] = newest.match(/\b[\da-f]{8}\b/) ?? [];
    const tree = await bench.succeed(['tool', 'memo_list', '--info-id', id]);
    assert.equal(
      tree.slice(tree.indexOf('├')),
      '├─ about\n│  └─ mirror\n└─ depth 1\n   ├─ 셰이더  via mirror\n   └─ 컴파일  via mirror\nworkspace bench\n',
    );
  });

  it('[T-13] [T-15] a step shows what it found, and a search what was superseded, in text and over MCP', async (test) => {
    const bench = workbench(test, 'here');
    await bench.succeed(['tool', 'mem_save', '접속', 'mirror 접속이 12초 뒤에 끊긴다']);
    await bench.succeed(['tool', 'mem_save', 'mirror timeout', 'mirror 접속은 이제 30초 뒤에 끊긴다']);
    await bench.succeed(['tool', 'mem_relate', '2', 'supersedes', '1']);
    await bench.succeed(['tool', 'memo_save', 'mirror 설정은 씬에 하나', '--keywords', 'mirror']);
    const { stdout: step } = await bench.run(['tool', 'memo_expand']);
    assert.match(step, /observation mirror timeout: mirror 접속은 이제 30초 뒤에 끊긴다 +#2\n/);
    assert.match(await bench.succeed(['search', '12초 뒤에 끊긴다']), /! superseded by #2/);
    const server = await bench.connect();
    const found = JSON.stringify((await server.ask('mem_search', { query: '접속' })).content);
    assert.match(found, /superseded_by\\":2/);
    const saved = resultOf(
      await server.ask('memo_save', { fullText: 'lobby', keywords: ['mirror'] }),
    ) as object;
    assert('infoId' in saved);
    const more = resultOf(await server.ask('memo_expand', {})) as { records?: { text: string }[] };
    assert.match(more.records?.map(({ text }) => text).join('|') ?? '', /mirror 설정은 씬에 하나/);
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
