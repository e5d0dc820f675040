import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { engines, optionsOf } from './support/engines.ts';
import { openRaw, storeOn } from './support/raw-engine.ts';
import { type Named, namedIn, shares, writtenPairs } from './support/similar.ts';

/** What the first engine names, for the others to compare with. */
let expected: Named[] | undefined;

/**
 * Sixty written pairs, English and Korean, in two memories. Weights may be tuned to `tune`; `held` was never looked at:
 * change no weight for one of its pairs, and do not read which of them fail.
 */
for (const engine of engines) {
  describe(`what a save names on ${engine.name}`, optionsOf(engine), () => {
    it('[W-5] of sixty pairs the neighbour in 85 %, and something unrelated in 5 %', async () => {
      const sets = [];
      for (const name of ['tune', 'held'] as const) {
        sets.push(await namedIn(storeOn(await openRaw(engine.place())), writtenPairs(name)));
      }
      for (const set of sets) assert.ok(shares(set).first >= 0.85, JSON.stringify(sets.map(shares)));
      const named = sets.flat();
      assert.ok(shares(named).unrelated <= 0.05, JSON.stringify(sets.map(shares)));
      expected ??= named;
      // Compared as a whole, so that a difference prints no pair.
      const isSame = JSON.stringify(named) === JSON.stringify(expected);
      assert.ok(isSame, '[P-1] the engines name different decisions');
    });
  });
}
