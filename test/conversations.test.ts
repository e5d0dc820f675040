import assert from 'node:assert/strict';
import { userInfo } from 'node:os';
import { describe, it } from 'node:test';
import { openMemory } from '../src/index.ts';
import { workbench } from './support/program.ts';
import { until } from './support/until.ts';

const LONG_AGO = Date.UTC(2001, 0, 1);
const SHAPE = ['action', 'infoId', 'previousDepth', 'newDepth', 'newlyFound', 'totalRelated'];

/** A memo of a conversation that has not ended. @param at when; default: now */
async function leaveMemo(db: string, at?: number): Promise<string> {
  const clock = at === undefined ? {} : { clock: () => at };
  const memory = await openMemory({ db, writer: { session: 'another' }, ...clock });
  await memory.keywords.record({ text: '토큰을 쿠키에 저장한다' });
  const { infoId } = await memory.memo.save({ fullText: '토큰은 쿠키에 둔다', keywords: ['토큰'] });
  await memory.close();
  return infoId;
}

describe('conversations over MCP and on the command line', { concurrency: 2 }, () => {
  it('[M-12] each server is one; when it closes, its memo is there for another, which says so', async (test) => {
    const bench = workbench(test, 'here');
    const one = await bench.connect();
    const other = await bench.connect();
    await one.call('keywords_record', { text: '토큰을 쿠키에 저장한다' });
    const { infoId } = await one.call('memo_save', { fullText: '토큰은 쿠키에 둔다', keywords: ['토큰'] });
    const { sessionId, relations } = await other.call('keywords_record', { text: 'Redis 캐시' });
    assert(relations.every(({ type }) => type !== 'FOLLOWED_BY'));
    assert.match(sessionId, /^[\da-f]{8}-/);
    const refused = await other.refusal('memo_expand');
    assert.match(refused, /^not_found: .*other conversations are busy/);
    assert(refused.includes(`${infoId} "토큰은 쿠키에 둔다"`), refused);
    await one.client.close();
    let answer = await other.ask('memo_expand', {});
    await until(async () => {
      if (answer.isError) answer = await other.ask('memo_expand', {});
      return !answer.isError;
    });
    const [result, note] = answer.content;
    const expanded = JSON.parse(result?.type === 'text' ? result.text : '');
    assert.deepEqual(Object.keys(expanded), SHAPE);
    assert.equal(expanded.infoId, infoId);
    assert(
      note?.type === 'text' && note.text.includes(`${infoId} "토큰은 쿠키에 둔다"`),
      JSON.stringify(note),
    );
    const next = await other.ask('memo_expand', {});
    assert.doesNotMatch(JSON.stringify(next.content), /had no memo/, 'it is its own now');
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

  it('[M-12] [M-7] what a command took up is said on standard error, beside the published shape', async (test) => {
    const bench = workbench(test, 'here');
    const infoId = await leaveMemo(bench.db, LONG_AGO);
    const { code, stdout, stderr } = await bench.run(['tool', 'memo_expand', '--json']);
    assert.equal(code, 0, stderr);
    assert.deepEqual(Object.keys(JSON.parse(stdout)), SHAPE);
    assert(stderr.includes(`${infoId} "토큰은 쿠키에 둔다"`), stderr);
    const next = await bench.run(['tool', 'memo_expand']);
    assert(next.stdout.includes(infoId) && !next.stderr.includes('had no memo'), 'it is its own now');
  });

  it('[M-12] a memo of a conversation that is going on is not taken up', async (test) => {
    const bench = workbench(test, 'here');
    const infoId = await leaveMemo(bench.db);
    const { code, stderr } = await bench.run(['tool', 'memo_expand']);
    assert.equal(code, 3);
    assert(stderr.includes(infoId), stderr);
  });
});
