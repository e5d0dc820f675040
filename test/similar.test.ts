import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { engines, optionsOf } from './support/engines.ts';
import { openRaw, storeOn } from './support/raw-engine.ts';
import { namedIn, shares, writtenPairs } from './support/similar.ts';

/** Each engine's answers to the written pairs, by set. */
const answers = new Map<string, unknown>();

for (const engine of engines) {
  describe(`what a save names on ${engine.name}`, optionsOf(engine), () => {
    for (const name of ['tune'] as const) {
      it(`[W-5] is the written neighbour, and nothing where none is (${name})`, async () => {
        const named = await namedIn(storeOn(await openRaw(engine.place())), writtenPairs(name));
        const { first, unrelated } = shares(named);
        assert.ok(first >= 0.85, `of the neighbours ${first} are named first, expected at least 0.85`);
        assert.ok(
          unrelated <= 0.05,
          `without a neighbour ${unrelated} name something, expected at most 0.05`,
        );
        answers.set(name, answers.get(name) ?? named);
        assert.deepEqual(named, answers.get(name), '[P-1] the same on every engine');
      });
    }
  });
}
