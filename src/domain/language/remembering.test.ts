import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { remembering } from './remembering.ts';

describe('what was said of a word', () => {
  it('is said again without asking, nothing too, but for a word too long to be one', () => {
    const asked: string[] = [];
    const of = remembering((word) => {
      asked.push(word);
      return word === 'the' ? undefined : word.toUpperCase();
    });
    const data = 'x'.repeat(65);
    assert.deepEqual(['the', 'wall', 'the', 'wall', '벽🧱'].map(of), [
      undefined,
      'WALL',
      undefined,
      'WALL',
      '벽🧱',
    ]);
    assert.deepEqual([of(data), of(data)], ['X'.repeat(65), 'X'.repeat(65)]);
    assert.deepEqual(asked, ['the', 'wall', '벽🧱', data, data]);
  });

  it('is forgotten when it is much', () => {
    let asked = 0;
    const of = remembering(() => ++asked);
    of('first');
    for (let n = 0; n < 10_000; n++) of(`word${n}`);
    of('first');
    assert.equal(asked, 10_002);
  });
});
