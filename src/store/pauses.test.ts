import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Pauses, STRETCH, stretchesOf } from './pauses.ts';

describe('[Z-5] pauses in a long work', () => {
  it('come before a piece would be too much, by rows or by characters', async () => {
    let paused = 0;
    const pauses = new Pauses(async () => paused++);
    const counted = async (rows: number, characters: number) => {
      await pauses.before(rows, characters);
      return paused;
    };
    assert.equal(await counted(STRETCH.rows, 0), 0);
    assert.equal(await counted(1, 0), 1);
    assert.equal(await counted(0, STRETCH.characters), 1);
    assert.equal(await counted(0, 1), 2);
    assert.equal(
      await counted(0, 10 * STRETCH.characters),
      3,
      'what cannot be divided begins a stretch of its own',
    );
    assert.equal(await counted(1, 0), 4);
  });

  it('things are grouped by what a stretch bears, and none is left out', () => {
    const sizes = [1, STRETCH.characters, 2 * STRETCH.characters, 3, 4, STRETCH.characters - 7, 1];
    assert.deepEqual(
      [...stretchesOf(sizes, (size) => size)],
      [[1], [sizes[1]], [sizes[2]], [3, 4, sizes[5]], [1]],
    );
    const many = Array.from({ length: 2 * STRETCH.rows + 1 }, () => 0);
    assert.deepEqual(
      [...stretchesOf(many, () => 0)].map(({ length }) => length),
      [STRETCH.rows, STRETCH.rows, 1],
    );
    assert.deepEqual([...stretchesOf([], () => 0)], []);
  });
});
