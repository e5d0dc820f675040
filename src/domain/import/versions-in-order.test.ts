import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { VersionsInOrder } from './versions-in-order.ts';

describe('VersionsInOrder', () => {
  it('gives versions that come in reverse, however many, in their order [Z-6]', () => {
    const order = new VersionsInOrder<{ id: number; previousVersionId: number | null }>();
    const ids = Array.from({ length: 20_000 }, (_, at) => at);
    const given = ids
      .toReversed()
      .flatMap((id) => order.next({ id, previousVersionId: id === 0 ? null : id - 1 }));
    assert.deepEqual(
      given.map(({ id }) => id),
      ids,
    );
    assert.deepEqual(order.rest(), []);
  });
});
