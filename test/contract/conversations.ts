import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Memory } from '../../src/index.ts';
import { type EngineUnderTest, optionsOf } from '../support/engines.ts';
import { refuses } from '../support/expect.ts';

const MINUTE = 60_000;

/** A clock that stands until it is moved. */
function handClock() {
  let now = Date.UTC(2026, 0, 1);
  return {
    clock: () => now,
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
  };
}

async function exported(memory: Memory, terms?: { authors: boolean }): Promise<string[]> {
  const lines: string[] = [];
  await memory.export('jsonl', (line) => lines.push(line), terms);
  return lines;
}

/** Conversations of calls that name none, and who goes on with whose memo. */
export function conversations(engine: EngineUnderTest): void {
  describe('conversations', optionsOf(engine), () => {
    it('[M-12] each opening of a memory is one, unless its writer names a session or a conversation', async () => {
      const one = await engine.open();
      const other = await engine.reopen(one);
      await one.keywords.record({ keywords: ['a'] });
      const mine = await one.keywords.record({ keywords: ['b'] });
      assert.deepEqual(
        mine.relations.map(({ from, to }) => [from, to]),
        [['a', 'b']],
      );
      const theirs = await other.keywords.record({ keywords: ['c'] });
      assert.deepEqual(theirs.relations, []);
      assert.notEqual(theirs.sessionId, mine.sessionId);
      assert.equal((await one.keywords.record({ keywords: ['d'], sessionId: 's' })).sessionId, 's');
      const inSession = await engine.reopen(one, { writer: { session: 's' } });
      assert.equal((await inSession.keywords.record({ keywords: ['e'] })).sessionId, 's');
      const named = await engine.reopen(one, { writer: { session: 's', conversation: 'cli:kim' } });
      assert.equal((await named.keywords.record({ keywords: ['f'] })).sessionId, 'cli:kim');
      const asked = await one.call('keywords_record', { keywords: ['g'] }, { session: 'of this call' });
      assert.equal(asked.sessionId, 'of this call');
    });

    it('[M-12] a memo of its own comes first, and one of another only by its id, however long ago', async () => {
      const { clock, pass } = handClock();
      const one = await engine.open({ clock });
      const other = await engine.reopen(one, { clock });
      const own = await one.memo.save({ fullText: 'own', keywords: ['a'] });
      pass(MINUTE);
      await refuses(other.memo.expand(), 'not_found', 'this conversation', own.infoId, 'own');
      const newer = await other.memo.save({ fullText: 'newer', keywords: ['a'] });
      pass(60 * MINUTE);
      assert.equal((await one.memo.expand()).infoId, own.infoId);
      await refuses(one.memo.expand({ sessionId: 'a third one' }), 'not_found', newer.infoId);
      assert.equal((await one.memo.expand({ infoId: newer.infoId })).infoId, newer.infoId);
    });

    it('[M-12] one that is named goes on after a restart', async () => {
      const writer = { session: 'a server', client: 'test' };
      const one = await engine.open();
      const named = await engine.reopen(one, { writer });
      const { infoId } = await named.memo.save({ fullText: 'of the server', keywords: ['a'] });
      await named.close();
      const again = await engine.reopen(one, { writer });
      assert.equal((await again.memo.expand()).infoId, infoId);
    });

    it('[M-12] without a memo of its own, the three newest are listed', async () => {
      const memory = await engine.open();
      await refuses(memory.memo.expand(), 'not_found', 'this conversation', 'Save one with memo_save');
      const ids: string[] = [];
      for (let n = 1; n <= 4; n++) {
        const memo = { fullText: `memo ${n}`, keywords: ['a'], sessionId: `s${n}` };
        ids.push((await memory.memo.save(memo)).infoId);
      }
      await assert.rejects(memory.memo.expand({ sessionId: 's' }), ({ code, message }) => {
        assert.equal(code, 'not_found');
        const named = ids.filter((id) => message.includes(id));
        assert.deepEqual(named, ids.slice(1));
        assert(message.indexOf('memo 4') < message.indexOf('memo 2') && message.includes('session "s"'));
        return true;
      });
      assert.equal((await memory.memo.expand({ infoId: ids[0] })).newDepth, 2);
    });

    it('[M-12] an export and an import keep whose memo it is, and the memory is sound', async () => {
      const writer = { session: 'mine' };
      const one = await engine.open({ writer });
      const { infoId } = await one.memo.save({ fullText: 'x', keywords: ['a'] });
      const copy = await engine.open({ writer });
      await copy.import(await exported(one));
      assert.equal((await copy.memo.expand()).infoId, infoId);
      assert.deepEqual((await copy.inspect()).broken, []);
    });

    it('[M-12] [K-4] an export without authors does not name whose conversation it is', async () => {
      const memory = await engine.open();
      for (const name of ['cli:kim', 'cli:lee', 'http:kim-token:codex', 'plain'])
        await memory.keywords.record({ keywords: [name.slice(-1)], sessionId: name });
      const unnamed = await exported(memory, { authors: false });
      assert.doesNotMatch(unnamed.join('\n'), /kim|lee/);
      assert.match((await exported(memory)).join('\n'), /cli:kim.*cli:lee/s);
      const cypher: string[] = [];
      await memory.export('cypher', (line) => cypher.push(line), { authors: false });
      assert.doesNotMatch(cypher.join('\n'), /kim|lee/);
      const copy = await engine.open();
      const { rows } = await copy.import(unnamed);
      assert.equal(rows.conversations, 4);
      assert(unnamed.some((line) => line.includes('"plain"')));
    });
  });
}
