import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { EngineUnderTest } from '../support/engines.ts';

const START = Date.UTC(2026, 0, 1);
const DAY = 86_400_000;

/** How old what stands is, as `stale:` has it, whatever was taken back of it since. */
export function staleness(engine: EngineUnderTest): void {
  /** A memory whose days a test counts. */
  async function days() {
    let day = 0;
    const memory = await engine.openFast({
      clock: () => START + day * DAY,
      writer: { author: 'Kim <kim@example.com>' },
    });
    const listed = async (length: number, input: object) =>
      (await memory.decision.list({ filter: `stale:${length}d`, ...input })).decisions.length > 0;
    return {
      memory,
      on: async <Result>(next: number, work: () => Promise<Result>) => {
        day = next;
        return work();
      },
      /** Asserts how many days ago something was last saved of the only decision; the past says the same a day later. */
      async isAged(age: number) {
        assert(age > 1);
        const at = day;
        const asked = async (input: object) => [await listed(age - 1, input), await listed(age + 1, input)];
        assert.deepEqual(await asked({}), [true, false], `${age} days before day ${at}`);
        const [{ updatedAt } = {}] = (await memory.decision.list({})).decisions;
        assert.equal(updatedAt, new Date(START + (at - age) * DAY).toISOString());
        day += 1;
        const asOf = new Date(START + at * DAY).toISOString();
        assert.deepEqual(await asked({ asOf }), [true, false], `${age} days before day ${at}, in the past`);
        day = at;
      },
    };
  }

  describe('what nothing happened to for long', () => {
    it('[K-6] [U-4] is as old as the version whose text stands again, after an undo and after a redo', async () => {
      const { memory, on, isAged } = await days();
      await memory.mama.save({ topic: 't', decision: 'A' });
      await on(10, () => memory.mama.save({ topic: 't', decision: 'A', reasoning: 'said better' }));
      await on(20, () => memory.mama.save({ topic: 't', decision: 'B' }));
      await on(50, () => memory.undo());
      await isAged(40);
      await on(60, () => memory.undo({ redo: true }));
      await isAged(40);
      await on(70, () => memory.undo());
      await on(71, () => memory.undo());
      await isAged(71);
    });

    it('[K-6] [U-4] is as old as what was saved after an undo, also where that says the same', async () => {
      const { memory, on, isAged } = await days();
      await memory.mama.save({ topic: 't', decision: 'A' });
      await on(10, () => memory.undo());
      await on(20, () => memory.mama.save({ topic: 't', decision: 'A' }));
      await on(30, () => memory.mama.save({ topic: 't', decision: 'B' }));
      await on(40, () => memory.undo());
      await isAged(20);
      await on(45, () => memory.mama.save({ topic: 't', decision: 'C' }));
      await on(50, () => memory.mama.save({ topic: 't', decision: 'A' }));
      await on(60, () => memory.mama.save({ topic: 't', decision: 'B' }));
      await on(70, () => memory.undo());
      await isAged(20);
    });

    it('[K-6] [U-4] is as old as its newest outcome that counts, and no younger for one that an undo copied or took back', async () => {
      const { memory, on, isAged } = await days();
      const { id } = await memory.mama.save({ topic: 't', decision: 'A' });
      await on(10, () => memory.mama.update({ id, outcome: 'success' }));
      await on(20, () => memory.mama.save({ topic: 't', decision: 'B' }));
      await on(50, () => memory.undo());
      await isAged(40);
      const { decision } = await memory.decision.get({ id: 't' });
      assert.equal(decision.outcome, 'success');
      await on(60, () => memory.mama.update({ id: decision.id, outcome: 'success' }));
      await on(65, async () => {});
      await isAged(5);
      await on(80, () => memory.undo());
      await isAged(70);
      await on(90, () => memory.undo());
      assert.equal((await memory.decision.get({ id: 't' })).decision.outcome, null);
      await isAged(90);
    });

    it('[K-6] [U-4] is not as old as an outcome of another text', async () => {
      const { memory, on, isAged } = await days();
      const { id } = await memory.mama.save({ topic: 't', decision: 'A' });
      await on(10, () => memory.mama.save({ topic: 't', decision: 'B' }));
      await on(20, () => memory.mama.save({ topic: 't', decision: 'C' }));
      const lee = { author: 'Lee <lee@example.com>' };
      await on(30, () => memory.call('mama_update', { id, outcome: 'failed' }, lee));
      await on(50, () => memory.undo());
      await isAged(40);
    });

    it('[U-7] [U-4] is as old as it was, where what is taken back was entered with a date', async () => {
      const { memory, on, isAged } = await days();
      await on(100, () =>
        memory.mama.save({ topic: 't', decision: 'A', date: new Date(START).toISOString() }),
      );
      await on(101, () =>
        memory.mama.save({ topic: 't', decision: 'B', date: new Date(START + 50 * DAY).toISOString() }),
      );
      await isAged(51);
      await on(110, () => memory.undo());
      await isAged(110);
    });
  });
}
