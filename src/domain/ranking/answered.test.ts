import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isAnswered } from './answered.ts';

const answers = (...similarities: number[]) => similarities.map((similarity) => ({ score: 1, similarity }));

describe('whether a question is answered [T-9]', () => {
  it('one of the first three says enough of it', () => {
    assert.equal(isAnswered(answers(0.1, 0.2, 0.3), 3, 1), true);
    assert.equal(isAnswered(answers(0.1, 0.2, 0.2, 0.9), 3, 1), false);
    assert.equal(isAnswered([], 3, 1), false);
  });

  it('of a long question less is enough, and of one word no more than of three', () => {
    assert.deepEqual(
      [1, 3, 12, 48].map((words) => isAnswered(answers(0.21), words, 1)),
      [false, false, true, true],
    );
    assert.equal(isAnswered(answers(0.3), 1, 1), true);
    assert.equal(isAnswered(answers(0.05), 1_000, 1), false);
  });

  it('of a question in two languages one is enough', () => {
    assert.deepEqual([isAnswered(answers(0.2), 3, 1), isAnswered(answers(0.2), 3, 0.6)], [false, true]);
  });
});
