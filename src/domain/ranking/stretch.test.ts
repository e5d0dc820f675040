import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bestStretch } from './stretch.ts';
import { STRETCH, STRETCH_TOKENS } from './weights.ts';

const WEIGHTS = new Map([
  ['retry', 3],
  ['queue', 2],
  ['backoff', 2],
]);
const other = (count: number) => new Array<string>(count).fill('word');
/** As if each pair of syllables were a third of a word. */
const thirds = (token: string) => (token === '결정' ? 1 / 3 : 1);
const within = (body: string[], title: string[] = []) =>
  [...bestStretch({ title: title.join(' '), body: body.join(' ') }, WEIGHTS, thirds).within].sort();

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
    const pairs = (count: number) => new Array<string>(count).fill('결정');
    const body = ['retry', ...pairs(87), 'queue'].join(' ');
    const { words } = bestStretch({ title: 'x 결정', body }, WEIGHTS, thirds);
    assert.equal(Math.round(10 * words), Math.round(10 * (1 + 1 / 3 + 1 + 87 / 3 + 1)));
    assert.deepEqual(within(['retry', ...pairs(3 * STRETCH - 6), 'queue']), ['queue', 'retry']);
    assert.deepEqual(within(['retry', ...pairs(3 * STRETCH), 'queue']), ['retry']);
  });

  it('of a long body only the first tokens count', () => {
    const body = [...other(STRETCH_TOKENS), 'queue'].join(' ');
    const found = bestStretch({ title: '', body }, WEIGHTS, thirds);
    assert.deepEqual(found, { within: new Set(), words: STRETCH_TOKENS });
  });

  it('nothing is within a text without a term', () => {
    assert.deepEqual(bestStretch({ title: '', body: other(3).join(' ') }, WEIGHTS, thirds), {
      within: new Set(),
      words: 3,
    });
  });
});
