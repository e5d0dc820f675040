import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bestStretch } from './stretch.ts';
import { STRETCH } from './weights.ts';

const WEIGHTS = new Map([
  ['retry', 3],
  ['queue', 2],
  ['backoff', 2],
]);
const other = (count: number) => new Array<string>(count).fill('word');
const within = (body: string[], title: string[] = []) =>
  [...bestStretch({ title, body }, WEIGHTS, () => 1).within].sort();

describe('bestStretch', () => {
  it('[S-4] has the terms of one window of words, and no others', () => {
    assert.deepEqual(within(['retry', ...other(STRETCH - 2), 'queue']), ['queue', 'retry']);
    assert.deepEqual(within(['retry', ...other(STRETCH - 1), 'queue']), ['retry']);
  });

  it('takes the window that tells the most, however often one term is repeated', () => {
    const body = ['retry', 'retry', 'retry', ...other(STRETCH), 'queue', 'backoff'];
    assert.deepEqual(within(body), ['backoff', 'queue']);
  });

  it("a title's terms are within wherever the others stand", () => {
    assert.deepEqual(within([...other(2 * STRETCH), 'queue'], ['the', 'retry']), ['queue', 'retry']);
  });

  it('counts words as it is told to: three pairs of syllables are one', () => {
    const body = ['retry', ...other(3 * (STRETCH - 1)), 'queue'];
    const { within, words } = bestStretch({ title: ['x'], body }, WEIGHTS, (token) =>
      token === 'word' ? 1 / 3 : 1,
    );
    assert.deepEqual([within.size, Math.round(words)], [2, STRETCH + 2]);
  });

  it('nothing is within a text without a term', () => {
    assert.deepEqual(
      bestStretch({ title: [], body: other(3) }, WEIGHTS, () => 1),
      {
        within: new Set(),
        words: 3,
      },
    );
  });
});
