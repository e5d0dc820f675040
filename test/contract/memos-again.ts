import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Memory } from '../../src/index.ts';
import { programOn } from '../spec/given.ts';
import { type EngineUnderTest, fixed } from '../support/engines.ts';
import { refuses } from '../support/expect.ts';
import { resultOf } from '../support/program.ts';

const STANDUP = 'The standup is at 10:00 in the small room';
const MOVED = 'The standup is now at 9:30 in the small room';

/** A call with what its caller is told beside the answer. */
async function noted(memory: Memory, name: 'memo_save' | 'memo_expand', input: object) {
  const notes: string[] = [];
  const result = await memory.call(name, { ...input }, {}, (note) => notes.push(note));
  return { result, notes };
}

/** The summaries of the memos that are listed, the newest first. */
const listed = async (memory: Memory) => (await memory.memo.list()).memos.map(({ summary }) => summary);

/** Memos that are told unasked, saved again, corrected and ended. */
export function memosAgain(engine: EngineUnderTest): void {
  describe('memos again', () => {
    it('[RE-10] a memo comes up in a prompt as a note does: by its words, by its id, once, and not after its end', async () => {
      const memory = await engine.open();
      const korean = '사무실 공유기는 창고 선반 위에 있다';
      const { infoId } = await memory.memo.save({ fullText: korean });
      const other = await memory.memo.save({
        fullText: 'The projector of the lobby needs a warm-up of five minutes',
        summary: 'Lobby projector: warm it up',
      });
      const told = async (prompt: string) => (await memory.briefing.get({ at: 'prompt', prompt })).facts;
      const [fact, ...others] = await told('사무실 공유기가 어디 선반에 있지?');
      assert.deepEqual([fact?.id, others], [infoId, []]);
      assert.match(
        fact?.line ?? '',
        /^- \[memo · \d{4}-\d\d-\d\d\] “사무실 공유기는 창고 선반 위에 있다” \([\da-f]{8}\)$/,
      );
      const [projector] = await told('The projector in the lobby takes minutes to warm-up, can we fix that?');
      assert.deepEqual([projector?.id, projector?.why?.includes('of five minutes')], [other.infoId, true]);
      assert.deepEqual((await told(`see memo ${infoId.slice(0, 8)}`))[0]?.id, infoId);
      assert.deepEqual(await told('write a test for the parser'), []);
      const words = ['사무실', '공유기', '선반'];
      assert.deepEqual((await memory.briefing.get({ at: 'prompt', words, shown: [infoId] })).facts, []);
      await memory.delete({ ref: infoId });
      assert.deepEqual(await told('사무실 공유기가 어디 선반에 있지?'), []);
      assert.deepEqual(await told(`see memo ${infoId.slice(0, 8)}`), []);
    });

    it('[RE-10] [M-7] the same words again are the memo that is there: its depth and relations stay, and the session goes on with it', async () => {
      const memory = await engine.open();
      await memory.keywords.record({ keywords: ['unity', 'shader'], sessionId: 'before' });
      await memory.keywords.record({ keywords: ['shader', 'hlsl'], sessionId: 'other' });
      const input = { fullText: '씬에 하나만 둔다', summary: '씬마다 하나', keywords: ['unity', 'mirror'] };
      const first = await memory.memo.save({ ...input, sessionId: 'a' });
      await memory.memo.expand({ infoId: first.infoId });
      const before = await memory.memo.list({ infoId: first.infoId });
      const strengths = await memory.keyword.graph({ around: 'unity' });
      const again = await noted(memory, 'memo_save', {
        fullText: ' 씬에  하나만 둔다\n',
        keywords: ['mirror', 'unity'],
        sessionId: 'b',
      });
      const keywords = ['mirror', 'unity'];
      assert.deepEqual(again.result, {
        action: 'memo_created',
        infoId: first.infoId,
        summary: '씬마다 하나',
        keywords,
        relatedFound: { depth: 2, nodes: ['shader', 'hlsl'], count: 2 },
        session: { lastMemoId: first.infoId, lastMemoDepth: 2, lastMemoKeywords: keywords },
      });
      assert.deepEqual(again.notes, []);
      assert.deepEqual(await memory.memo.list({ infoId: first.infoId }), before);
      assert.deepEqual(await memory.keyword.graph({ around: 'unity' }), strengths);
      assert.equal((await memory.memo.list()).total, 1);
      assert.equal((await memory.memo.expand({ sessionId: 'b' })).previousDepth, 2);
      const { notes } = await noted(memory, 'memo_save', { ...input, keywords: ['lobby'] });
      assert.match(notes.join(), new RegExp(`was there already, and keeps .*"replaces": "${first.infoId}"`));
      await memory.delete({ ref: first.infoId });
      assert.notEqual((await memory.memo.save(input)).infoId, first.infoId, 'what was ended is not there');
    });

    it('[RE-10] [M-7] one that shares most words with an older one is answered by "older: …", and neither is marked', async () => {
      const memory = await engine.open(fixed());
      const { infoId } = await memory.memo.save({ fullText: STANDUP });
      const { result, notes } = await noted(memory, 'memo_save', { fullText: MOVED });
      assert.equal(notes.length, 1);
      assert.match(
        notes[0] ?? '',
        new RegExp(`^older: ${infoId.slice(0, 8)}\\S* "The standup is at 10:00 .*" \\(\\d{4}-.*"replaces"`),
      );
      assert(!('warnings' in result), 'the shape of the answer is fixed');
      assert.deepEqual(await listed(memory), [MOVED, STANDUP]);
      for (const fullText of [
        'The door code of the small room is on the board',
        '스탠드업은 이제 없다',
        'standup',
      ])
        assert.deepEqual((await noted(memory, 'memo_save', { fullText })).notes, [], fullText);
      await memory.memo.save({ fullText: '주간 회의는 10시에 작은 회의실에서 한다' });
      const korean = await noted(memory, 'memo_save', {
        fullText: '주간 회의를 11시에 작은 회의실에서 한다',
      });
      assert.match(korean.notes.join(), /^older: .*10시에/);
    });

    it('[RE-10] a memo that replaces another says which, by its id and first words', async () => {
      const memory = await engine.open();
      const { infoId } = await memory.memo.save({ fullText: STANDUP });
      const { notes } = await noted(memory, 'memo_save', { fullText: MOVED, replaces: infoId });
      assert.match(
        notes.join(),
        new RegExp(`^Replaced: ${infoId.slice(0, 8)}\\S* "The standup is at 10:00 .*" `),
      );
    });

    it('[RE-10] an ended memo leads to the one that replaced it: shown, explored, and where a conversation goes on', async () => {
      const memory = await engine.open();
      const { infoId } = await memory.memo.save({ fullText: STANDUP, sessionId: 'other' });
      const moved = await memory.memo.save({ fullText: MOVED, replaces: infoId });
      const successor = new RegExp(`${moved.infoId.slice(0, 8)}\\S* "The standup is now at 9:30`);
      assert.match((await memory.show({ ref: infoId })).memo?.replaced_by ?? '', successor);
      assert.match((await memory.memo.list({ infoId })).memos[0]?.replacedBy ?? '', successor);
      await assert.rejects(memory.memo.expand({ infoId }), successor);
      assert.equal((await memory.memo.expand({ sessionId: 'other' })).infoId, moved.infoId);
      await memory.undelete({ ref: infoId });
      await memory.delete({ ref: infoId });
      const [ended] = (await memory.memo.list({ infoId })).memos;
      assert.deepEqual([ended?.deleted, ended?.replacedBy], [true, undefined], 'ended by itself');
    });

    it('[RE-10] replaces: infoId corrects a memo: the old one leaves lists, searches and prompts, and undo brings it back', async () => {
      const memory = await engine.open(fixed());
      const { infoId } = await memory.memo.save({ fullText: STANDUP });
      const { result, notes } = await noted(memory, 'memo_save', {
        fullText: MOVED,
        replaces: infoId,
      });
      assert.deepEqual(
        [result.action, result.infoId === infoId, notes.map((each) => each.split(' ')[0])],
        ['memo_created', false, ['Replaced:']],
        'what is replaced is not named as older',
      );
      assert.deepEqual(await listed(memory), [MOVED]);
      const { facts } = await memory.briefing.get({
        at: 'prompt',
        prompt: 'When is the standup in the small room?',
      });
      assert.deepEqual(
        facts.map(({ id }) => id),
        [result.infoId],
      );
      assert.equal((await memory.memo.list({ infoId })).memos[0]?.deleted, true, 'it is read by its id');
      await refuses(memory.memo.save({ fullText: MOVED, replaces: infoId }), 'conflict', 'replaced by');
      await refuses(memory.memo.save({ fullText: MOVED, replaces: 'nope' }), 'not_found', 'nope');
      await memory.undo();
      assert.deepEqual(await listed(memory), [STANDUP]);
      // After "older: …" the same words are saved again, with what they correct.
      const saved = await memory.memo.save({ fullText: MOVED });
      const corrected = await memory.memo.save({ fullText: MOVED, replaces: infoId });
      assert.deepEqual([corrected.infoId, await listed(memory)], [saved.infoId, [MOVED]]);
      const reworded = { fullText: MOVED, summary: 'Standup at 9:30', replaces: saved.infoId };
      assert.notEqual((await memory.memo.save(reworded)).infoId, saved.infoId);
      assert.deepEqual(await listed(memory), ['Standup at 9:30']);
    });

    it('[RE-10] [M-7] exploring says when nothing is left', async () => {
      const memory = await engine.open();
      await memory.memo.save({ fullText: 'scenes', keywords: ['a', 'b'] });
      const { infoId } = await memory.memo.save({ fullText: 'prefabs', keywords: ['c'] });
      await memory.keywords.record({ keywords: ['a', 'c'] });
      const step = () => noted(memory, 'memo_expand', { infoId });
      assert.deepEqual((await step()).notes, [], 'it found a');
      assert.deepEqual((await step()).notes, [], 'it found b');
      const { result, notes } = await step();
      assert.deepEqual([result.newlyFound, Object.keys(result).includes('warnings')], [[], false]);
      assert.match(notes.join(), /^Nothing is left to find around this memo/);
    });

    it('[RE-10] an agent with the tools of every day lists, corrects and ends a memo, over MCP and by command', async (test) => {
      const program = programOn(engine, test);
      const server = await program.connect();
      const { infoId } = resultOf(await server.ask('memo_save', { fullText: STANDUP })) as { infoId: string };
      const { content } = (await server.ask('memo_save', { fullText: MOVED, replaces: infoId })) as {
        content: { text: string }[];
      };
      const moved = JSON.parse(content[0]?.text ?? '').infoId;
      const memos = async () =>
        (resultOf(await server.ask('memo_list', {})) as { memos: { infoId: string }[] }).memos.map(
          (each) => each.infoId,
        );
      assert.deepEqual(await memos(), [moved]);
      const older = (await server.ask('memo_save', { fullText: STANDUP })) as { content: { text: string }[] };
      assert.match(older.content[1]?.text ?? '', /^older: /);
      await server.ask('delete', { ref: JSON.parse(older.content[0]?.text ?? '').infoId });
      assert.deepEqual(await memos(), [moved]);
      const { stderr } = await program.run('tool', 'memo_save', STANDUP);
      assert.match(stderr, /older: /);
      const correction = await program.run(
        'tool',
        'memo_save',
        'See the calendar',
        '--replaces',
        moved,
        '--json',
      );
      assert.match(correction.stderr, /^precedent: Replaced: /);
      const corrected = JSON.parse(correction.stdout);
      assert.equal((await program.answer('list', 'memos')).memos[0].infoId, corrected.infoId);
      assert.equal((await program.run('tool', 'delete', corrected.infoId)).code, 0);
      assert(!(await memos()).includes(corrected.infoId));
    });
  });
}
