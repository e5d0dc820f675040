import assert from 'node:assert/strict';
import { it } from 'node:test';
import { buckets } from './bucket.ts';

it('[H-5] a clock that is set back locks nobody out', () => {
  const HOUR = 3_600_000;
  let now = 2 * HOUR;
  const take = buckets({ burst: 2, perSecond: 1 }, () => now);
  assert.deepEqual([take('it'), take('it'), take('it')], [0, 0, 1]);
  now -= HOUR;
  assert.equal(take('it'), 1);
  now += 1_000;
  assert.deepEqual([take('it'), take('it')], [0, 1]);
});
