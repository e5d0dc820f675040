import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { joined, nearness } from './meaning.ts';
import { NEAR, NEAREST } from './weights.ts';

describe('nearness', () => {
  it('is 1 for the nearest and 0 for the last of many, however alike all texts are to the model', () => {
    for (const [from, to] of [
      [0.9, 0.3],
      [0.99, 0.98],
    ] as const) {
      const step = (from - to) / (NEAREST - 1);
      const found = nearness(Array.from({ length: NEAREST }, (_, n) => from - n * step));
      assert.deepEqual([found[0], found.at(-1)?.toFixed(6)], [1, '0.000000']);
    }
  });

  it('of a few begins at what is near enough to be found, so that the last of them gains, too', () => {
    const [first, last] = nearness([0.9, 0.8]);
    assert.equal(first, 1);
    assert.equal(last?.toFixed(6), ((0.8 - NEAR) / (0.9 - NEAR)).toFixed(6));
  });

  it('of equal ones is equal', () => {
    assert.deepEqual(nearness(new Array(NEAREST).fill(0.5)), new Array(NEAREST).fill(1));
    assert.deepEqual(nearness([]), []);
  });
});

describe('joined', () => {
  it('adds to the share of the best score by words what the meaning is worth, and takes an unknown one for as near as its words say', () => {
    const scores = joined(
      new Map([
        [1, 40],
        [2, 30],
        [3, 10],
      ]),
      new Map([
        [2, 1],
        [4, 0.5],
      ]),
      0.2,
      (seq) => seq === 3,
    );
    assert.deepEqual(
      [...scores],
      [
        [1, 1],
        [2, 0.75 + 0.2],
        [3, 0.25 * 1.2],
        [4, 0.5 * 0.2],
      ],
    );
  });

  it('ranks by meaning alone what no word finds', () => {
    assert.deepEqual([...joined(new Map(), new Map([[1, 1]]), 0.2, () => false)], [[1, 0.2]]);
  });
});
