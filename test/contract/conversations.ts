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

/** What the caller is told beside the answer to `memo_expand`, and the memo that it went on with. */
async function expanded(memory: Memory) {
  const notes: string[] = [];
  const result = await memory.call('memo_expand', {}, {}, (note) => {
    // That nothing is left has tests of its own.
    if (!note.startsWith('Nothing is left')) notes.push(note);
  });
  return { result, infoId: result.infoId as string, notes };
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

    it('[M-12] [M-7] one without a memo takes up the newest that was silent for ten minutes, and says which', async () => {
      const { clock, pass } = handClock();
      const one = await engine.open({ clock });
      const other = await engine.reopen(one, { clock });
      await one.keywords.record({ keywords: ['a', 'b'] });
      await one.keywords.record({ keywords: ['b', 'c'], sessionId: 'elsewhere' });
      const old = await one.memo.save({ fullText: 'older', keywords: ['x'], sessionId: 'elsewhere' });
      const { infoId } = await one.memo.save({ fullText: '토큰은 쿠키에', keywords: ['a'] });
      pass(10 * MINUTE - 1);
      await refuses(
        other.memo.expand(),
        'not_found',
        'this conversation',
        infoId,
        old.infoId,
        '토큰은 쿠키에',
      );
      pass(1);
      const { result, notes } = await expanded(other);
      assert.deepEqual(result, {
        action: 'memo_expanded',
        infoId,
        previousDepth: 1,
        newDepth: 2,
        newlyFound: ['c'],
        totalRelated: 2,
      });
      assert.equal(notes.length, 1);
      for (const part of [infoId, '"토큰은 쿠키에"', '2026-01-01T00:00:00.000Z'])
        assert(notes[0]?.includes(part), notes[0]);
      const again = await expanded(other);
      assert.deepEqual([again.infoId, again.notes], [infoId, []], 'it is its own now');
    });

    it('[M-12] two windows never go on with the same memo', async () => {
      const { clock, pass } = handClock();
      const one = await engine.open({ clock });
      const other = await engine.reopen(one, { clock });
      const third = await engine.reopen(one, { clock });
      const { infoId } = await one.memo.save({ fullText: 'theirs', keywords: ['a'] });
      pass(10 * MINUTE);
      const both = await Promise.allSettled([other, third].map(expanded));
      assert.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
      await refuses(one.memo.expand(), 'not_found', infoId);
      pass(9 * MINUTE);
      await Promise.allSettled([other, third].map(expanded));
      pass(9 * MINUTE);
      await refuses(one.memo.expand(), 'not_found', 'busy', infoId);
      pass(MINUTE);
      assert.equal((await one.memo.expand()).infoId, infoId, 'one that takes a step is not silent');
    });

    it('[M-12] a memo of its own comes first, however long ago, and whatever others have left', async () => {
      const { clock, pass } = handClock();
      const one = await engine.open({ clock });
      const other = await engine.reopen(one, { clock });
      const own = await one.memo.save({ fullText: 'own', keywords: ['a'] });
      pass(MINUTE);
      const newer = await other.memo.save({ fullText: 'newer', keywords: ['a'] });
      pass(60 * MINUTE);
      const mine = await expanded(one);
      assert.deepEqual([mine.infoId, mine.notes], [own.infoId, []]);
      const named = await one.memo.expand({ sessionId: 'a third one' });
      assert.equal(named.infoId, newer.infoId, 'also where the call names the conversation');
    });

    it('[M-12] the memo of one that has ended is taken up at once; one that is named goes on after a restart', async () => {
      const { clock } = handClock();
      const one = await engine.open({ clock });
      const other = await engine.reopen(one, { clock });
      const writer = { session: 'a server', client: 'test' };
      const named = await engine.reopen(one, { clock, writer });
      const { infoId } = await named.memo.save({ fullText: 'of the server', keywords: ['a'] });
      await named.close();
      await refuses(other.memo.expand(), 'not_found', infoId);
      const again = await engine.reopen(one, { clock, writer });
      assert.equal((await again.memo.expand()).infoId, infoId);
      await again.endConversation('a server');
      assert.equal((await other.memo.expand()).infoId, infoId);
      const last = await other.memo.save({ fullText: 'the last', keywords: ['a'] });
      await other.close();
      assert.equal((await one.memo.expand()).infoId, last.infoId, 'closing ends what began with opening');
    });

    it('[M-12] ending one of which nothing was recorded writes nothing', async () => {
      const memory = await engine.open();
      await memory.keywords.record({ keywords: ['a'], sessionId: 's' });
      const before = await exported(memory);
      const other = await engine.reopen(memory);
      await other.memo.list();
      await other.endConversation('s');
      await other.close();
      assert.deepEqual(await exported(memory), before);
    });

    it('[M-12] where all are going on, the three newest are listed', async () => {
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
      const { clock, pass } = handClock();
      const one = await engine.open({ clock, writer: { session: 'mine' } });
      const { infoId } = await one.memo.save({ fullText: 'x', keywords: ['a'] });
      const copy = await engine.open({ clock });
      await copy.import(await exported(one));
      await refuses(copy.memo.expand(), 'not_found', infoId);
      pass(10 * MINUTE);
      assert.equal((await copy.memo.expand()).infoId, infoId);
      await copy.endConversation('mine');
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
