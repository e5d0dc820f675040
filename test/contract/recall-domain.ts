import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { EngineUnderTest } from '../support/engines.ts';

/** What recall gives of a domain that is named. */
export function recallDomain(engine: EngineUnderTest): void {
  describe('recall with a domain', () => {
    it('[W-4] gives the normal decisions of the domain, too, after what binds and by turns with what is found', async () => {
      const memory = await engine.open();
      await memory.mama.save({
        topic: 'payment:amounts',
        decision: 'Amounts are integers',
        strength: 'lock',
      });
      for (const n of [1, 2, 3])
        await memory.mama.save({ topic: `payment:rule-${n}`, decision: `환불 규칙 ${n}` });
      for (const n of [1, 2])
        await memory.mama.save({ topic: `ui:screen-${n}`, decision: `Screen reader test ${n}` });
      const { entries, names, left_out } = await memory.recall({
        task: 'screen for a giraffe',
        domain: 'payment',
      });
      assert.deepEqual(
        entries.map(({ title, because }) => [title, because]),
        [
          ['payment:amounts', 'binds payment (lock)'],
          ['ui:screen-2', 'has words of the question'],
          ['payment:rule-3', 'holds in payment'],
          ['ui:screen-1', 'has words of the question'],
        ],
      );
      assert.deepEqual(
        names?.map(({ title }) => title),
        ['payment:rule-2', 'payment:rule-1'],
      );
      assert.deepEqual(left_out, { binding: 0, relevant: 0 });
      // What the question finds stands where it was found, and is not listed twice.
      const both = await memory.recall({ task: '환불 규칙 2', domain: 'payment' });
      const titles = both.entries.map(({ title }) => title);
      assert.equal(titles[1], 'payment:rule-2');
      assert.equal(new Set(titles).size, titles.length);
      const none = await memory.recall({ task: 'nothing of this', domain: 'ui' });
      assert.deepEqual(
        none.entries.map(({ title }) => title),
        ['ui:screen-2', 'ui:screen-1'],
      );
    });

    it('[D-21] many global axes do not crowd out those of the domain; what did not fit is said in words', async () => {
      const memory = await engine.openFast();
      await memory.decision.save({ text: 'The axis of payment', strength: 'axis', scope: 'payment' });
      await memory.decision.save({ text: 'The lock of payment', strength: 'lock', scope: 'payment' });
      await memory.decision.save({ text: 'A rule of payment', scope: 'payment' });
      for (let n = 0; n < 121; n++) {
        await memory.decision.save({ text: `Global axis number ${n}`, strength: 'axis', scope: 'global' });
      }
      for (const token_budget of [300, 1_500]) {
        const { entries, left_out } = await memory.recall({
          task: 'invoices',
          domain: 'payment',
          token_budget,
        });
        const texts = entries.map(({ text }) => text);
        assert.match(texts[0] ?? '', /^Global axis/);
        for (const text of ['The axis of payment', 'The lock of payment', 'A rule of payment']) {
          assert(texts.includes(text), `${text} in ${token_budget}: ${texts.join()}`);
        }
        const axes = texts.filter((text) => text.startsWith('Global')).length;
        assert.equal(left_out.tiers, `${121 - axes} of the global axes and locks`);
        assert.equal(left_out.binding, 121 - axes);
      }
    });

    it('[D-21] a tier that is larger than its share is named by how much of it did not fit', async () => {
      const memory = await engine.openFast();
      for (let n = 0; n < 40; n++) {
        await memory.decision.save({
          text: `Lock number ${n} of payments`,
          strength: 'lock',
          scope: 'payment',
        });
      }
      const { left_out, entries } = await memory.recall({ task: 'x', domain: 'payment', token_budget: 400 });
      assert(entries.length > 3, String(entries.length));
      assert.equal(left_out.tiers, `${40 - entries.length} of the locks of payment`);
    });
  });
}
