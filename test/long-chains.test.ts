import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { withinProcessorTime } from './support/clock.ts';
import { sqlite } from './support/engines.ts';

/** PostgreSQL works in another process. */
describe('a chain of many versions, a decision of many outcomes', { concurrency: 1 }, () => {
  it('[Z-12] a save costs the same on a long chain as on a short one', async () => {
    const memory = await sqlite.openFast();
    const lines = Array.from({ length: 600 }, (_, at) =>
      JSON.stringify({ operation: 'mama_save', topic: 'long:chain', decision: `version ${at}` }),
    );
    // About 1 s. It took 28 while a save compared each version with all later ones.
    await withinProcessorTime(6_000, () => memory.batch(lines));
    assert.equal((await memory.decision.get({ id: 'long:chain' })).decision.version, 600);
  });

  it('[Z-12] what failed lately costs the same whatever number of outcomes a decision has', async () => {
    const memory = await sqlite.openFast();
    await memory.mama.save({ topic: 'a', decision: 'Tried again and again' });
    const outcomes = Array.from({ length: 800 }, (_, at) =>
      JSON.stringify({ operation: 'mama_update', id: 'a', outcome: 'failed', reason: `reason ${at}` }),
    );
    await memory.batch(outcomes);
    const shown = await withinProcessorTime(1_000, async () => {
      for (let at = 0; at < 20; at++) await memory.briefing.get({ at: 'start' });
      return memory.briefing.get({ at: 'start' });
    });
    assert(JSON.stringify(shown).includes('reason 799'));
  });
});
