import assert from 'node:assert/strict';
import { userInfo } from 'node:os';
import { describe, it } from 'node:test';
import { workbench } from './support/program.ts';

const SHAPE = ['action', 'infoId', 'previousDepth', 'newDepth', 'newlyFound', 'totalRelated'];

describe('conversations over MCP and on the command line', { concurrency: 2 }, () => {
  it('[M-12] each server is one; the memo of another is named, and taken by its id', async (test) => {
    const bench = workbench(test, 'here');
    const one = await bench.connect();
    const other = await bench.connect();
    await one.call('keywords_record', { text: '토큰을 쿠키에 저장한다' });
    const { infoId } = await one.call('memo_save', { fullText: '토큰은 쿠키에 둔다', keywords: ['토큰'] });
    const { sessionId, relations } = await other.call('keywords_record', { text: 'Redis 캐시' });
    assert(relations.every(({ type }) => type !== 'FOLLOWED_BY'));
    assert.match(sessionId, /^[\da-f]{8}-/);
    const refused = await other.refusal('memo_expand');
    assert(refused.startsWith('not_found: '), refused);
    assert(refused.includes(`${infoId} "토큰은 쿠키에 둔다"`), refused);
    const expanded = await other.call('memo_expand', { infoId });
    assert.deepEqual(Object.keys(expanded), SHAPE);
    assert.equal(expanded.infoId, infoId);
  });

  it('[M-12] the commands of a user are one conversation, another one when a session is named', async (test) => {
    const bench = workbench(test, 'here');
    const recorded = JSON.parse(
      await bench.succeed(['tool', 'keywords_record', '토큰을 쿠키에 저장한다', '--json']),
    );
    assert.equal(recorded.sessionId, `cli:${userInfo().username}`);
    const saved = JSON.parse(await bench.succeed(['tool', 'memo_save', '토큰은 쿠키에 둔다', '--json']));
    const expanded = await bench.run(['tool', 'memo_expand', '--json']);
    const { infoId } = JSON.parse(expanded.stdout);
    assert.equal(infoId, saved.infoId);
    const env = { PRECEDENT_SESSION: 'another window' };
    const { code, stderr } = await bench.run(['tool', 'memo_expand'], { env });
    assert.equal(code, 3);
    assert(stderr.includes(infoId), stderr);
  });
});
