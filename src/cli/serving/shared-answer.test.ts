import assert from 'node:assert/strict';
import { it } from 'node:test';
import { sharedAnswer } from './shared-answer.ts';

it('[H-3] whether a server is ready is found out once for all who ask at about the same time', async () => {
  let [asked, now] = [0, 0];
  const isReady = sharedAnswer(
    async () => ++asked,
    1_000,
    () => now,
  );
  assert.deepEqual(await Promise.all([isReady(), isReady()]), [1, 1]);
  now = 999;
  assert.equal(await isReady(), 1);
  now = 1_000;
  assert.equal(await isReady(), 2);
  // A clock that is set back by an hour must not make an answer hold for one.
  now = -3_600_000;
  assert.equal(await isReady(), 3);
});
