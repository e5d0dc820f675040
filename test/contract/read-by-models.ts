import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { forModel, type Memory } from '../../src/index.ts';
import type { EngineUnderTest } from '../support/engines.ts';

const LESSON = `${'The pool ran dry at nine, then again at noon. '.repeat(12)}Two pools are the lesson`;

/** What a model is given to read: whole where it must be, short where it may be. */
export function readByModels(engine: EngineUnderTest): void {
  describe('what a model reads', () => {
    const model = (name: string, result: Record<string, unknown>) => JSON.stringify(forModel(name, result));
    const times = (text: string, part: string) => text.split(part).length - 1;

    async function filled(): Promise<{ memory: Memory; first: string }> {
      const memory = await engine.open();
      const { id: first } = await memory.mama.save({
        topic: 'booking:hold',
        decision: 'Slots are held by a lock of a row',
        reasoning: 'One part less',
      });
      await memory.mama.update({ id: first, outcome: 'failed', reason: LESSON });
      await memory.mama.save({
        topic: 'booking:hold',
        decision: 'Slots are held by rows that expire',
        reasoning: 'Nobody waits for a form',
      });
      await memory.mama.save({
        topic: 'team:push',
        decision: 'Nobody pushes to main by force, and no tag is moved',
        strength: 'lock',
        scope: 'global',
      });
      return { memory, first };
    }

    it('[T-18] decision_get has each text once, the whole lesson of a failure, and short ids', async () => {
      const { memory, first } = await filled();
      for (const [id, status] of [
        ['booking:hold', undefined],
        [first, 'superseded'],
      ] as const) {
        const whole = await memory.decision.get({ id });
        const text = model('decision_get', whole);
        assert.equal(times(text, LESSON), 1);
        // An active version also warns of the one before, in short.
        assert.equal(times(text, 'Slots are held by a lock of a row'), status ? 1 : 2);
        assert.equal(times(text, 'Slots are held by rows that expire'), 1);
        assert.doesNotMatch(text, /[0-9a-f]{8}-[0-9a-f]{4}/);
        assert.equal(JSON.parse(text).status, status);
        for (const short of Object.values(whole.refs))
          assert.equal((await memory.decision.get({ id: short })).refs[short], undefined);
      }
    });

    it('[T-18] decision_get says of which version a link is, and on which day something failed', async () => {
      let now = Date.UTC(2026, 2, 3, 12);
      const memory = await engine.open({ clock: () => now });
      const cutoff = await memory.mama.save({ topic: 'order:cutoff', decision: 'Orders end at 23:00' });
      const first = await memory.mama.save({ topic: 'charge:time', decision: 'Charged when it is ordered' });
      await memory.mama.update({ id: first.id, outcome: 'failed', reason: '2,100 refunds' });
      now = Date.UTC(2026, 4, 6, 12);
      await memory.mama.save({
        topic: 'charge:time',
        decision: 'Charged at the cut-off',
        reasoning: `builds_on: ${cutoff.id}`,
      });
      await memory.mama.save({ topic: 'order:cutoff', decision: 'Orders end at 20:00' });
      const read = async (id: string) =>
        JSON.parse(model('decision_get', await memory.decision.get({ id }))) as Record<string, never>;
      const [earlier, current] = [await read(first.id), await read('charge:time')];
      const link = { relationship: 'builds_on', topic: 'order:cutoff', version: 2 };
      assert.partialDeepStrictEqual(earlier, { version: 1, outcome_when: '2026-03-03', links: [link] });
      assert.partialDeepStrictEqual(current, {
        version: 2,
        history: [{ version: 1, outcome_when: '2026-03-03' }],
      });
      assert('version' in (current.links?.[0] ?? {}) === false, 'its own link needs no version');
      assert.partialDeepStrictEqual(await read('order:cutoff'), { linked_by: [{ version: 1 }] });
    });

    it('[T-5] [T-18] decision_retrieve names the locks of everywhere, and lists a decision in 80 tokens', async () => {
      const { memory } = await filled();
      for (const [topic, decision, reasoning] of [
        [
          'booking:window',
          'Slots can be booked up to 90 days ahead, and until two hours before they begin',
          'Doctors plan their quarter',
        ],
        [
          'booking:cancel',
          '예약은 시작 두 시간 전까지 환자가 스스로 취소할 수 있고, 그 뒤에는 병원에 전화한다',
          '빈 시간을 다시 채울 수 있다',
        ],
      ] as const)
        await memory.mama.save({ topic, decision, reasoning });
      const result = await memory.decision.retrieve({ domain: 'booking' });
      assert.deepEqual(
        result.alsoBinding?.map(({ topic, text }) => [topic, text]),
        [['team:push', 'Nobody pushes to main by force, and no tag is moved']],
      );
      const { decisions, also_binding: besides } = JSON.parse(model('decision_retrieve', result));
      assert.match(besides[0].id, /^[0-9a-f]{8}$/);
      assert(decisions.some((each: object) => 'earlier_failure' in each));
      for (const each of decisions) assert(countTokens(JSON.stringify(each)) <= 80, JSON.stringify(each));
      assert.equal((await memory.decision.retrieve({ domain: 'global' })).alsoBinding, undefined);
    });

    it('[T-18] a list says a failure once where a version builds on the one that failed, and no tier that binds nothing', async () => {
      const memory = await engine.open();
      const topic = 'db:soft-delete';
      const { id } = await memory.mama.save({ topic, decision: 'Rows are marked as deleted' });
      await memory.mama.update({ id, outcome: 'failed', reason: 'Three queries forgot the mark' });
      await memory.mama.save({ topic, decision: 'Rows are really removed', reasoning: `builds_on: ${id}` });
      const result = await memory.decision.retrieve({ domain: 'db' });
      assert.equal(result.decisions[0]?.failedBasis?.length, 1);
      const listed = model('decision_retrieve', result);
      assert.equal(listed.split('Three queries forgot the mark').length, 2, listed);
      assert.doesNotMatch(listed, /domain\+normal/);
    });

    it('[T-5] recall and the start of a session have the locks of everywhere, whatever the task', async () => {
      const { memory } = await filled();
      for (const domain of [undefined, 'booking']) {
        const { entries } = await memory.recall({ task: 'dark mode', ...(domain && { domain }) });
        assert.equal(entries[0]?.title, 'team:push');
      }
      const { start } = await memory.briefing.get({ at: 'start' });
      assert.match(
        start?.rules.map(({ line }) => line).join('\n') ?? '',
        /lock · unreviewed · global.*team:push: “Nobody pushes to main by force, and no tag is moved”/,
      );
    });

    it('[T-18] a checkpoint in recall says what was decided since, so that no step is taken for the last word', async () => {
      const { memory } = await filled();
      await memory.mama.save({ type: 'checkpoint', summary: 'Holding slots', next_steps: 'Lock the row' });
      await memory.mama.save({
        topic: 'booking:hold',
        decision: 'Slots are held in a table',
        reasoning: 'Simple',
      });
      for (const task of ['continue', 'holding slots']) {
        const found = await memory.recall({ task });
        const entry = found.entries.find(({ kind }) => kind === 'checkpoint');
        assert.match(
          entry?.since?.join() ?? '',
          /^booking:hold decided: “Slots are held in a table” \([0-9a-f]{8}\)$/,
        );
        assert.match(
          model('recall', found),
          /"checkpoint":"Holding slots[^}]*"since":\["booking:hold decided/,
        );
      }
    });

    it('[T-2] of what was withdrawn the status comes before the text', async () => {
      const { memory } = await filled();
      await memory.decision.revise({ id: 'booking:hold', withdrawn: true, reasoning: 'Slots are gone' });
      const text = model('recall', await memory.recall({ task: 'how are slots held' }));
      assert.match(text, /"topic":"booking:hold","status":"withdrawn","decision":/);
    });
  });
}
