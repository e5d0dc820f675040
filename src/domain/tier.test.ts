import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { mergeTiers, TIERS, tiersFor } from './tier.ts';

describe('tiersFor', () => {
  it('[D-10] a domain loads four tiers in the fixed order', () => {
    assert.deepEqual(tiersFor('cad'), [
      { tier: 'global+axis', scope: 'global', strength: 'axis' },
      { tier: 'domain+axis', scope: 'cad', strength: 'axis' },
      { tier: 'domain+lock', scope: 'cad', strength: 'lock' },
      { tier: 'domain+normal', scope: 'cad', strength: 'normal' },
    ]);
    assert.deepEqual(
      tiersFor('cad').map(({ tier }) => tier),
      TIERS,
    );
  });

  it('[D-10] without a domain only the first tier loads', () => {
    assert.deepEqual(tiersFor(undefined), [{ tier: 'global+axis', scope: 'global', strength: 'axis' }]);
  });
});

describe('mergeTiers', () => {
  it('[D-10] a decision appears once, in its first tier, with its fields', () => {
    const first = { id: 'a', text: 'from the first tier' };
    const merged = mergeTiers([
      { tier: 'global+axis', items: [first] },
      {
        tier: 'domain+axis',
        items: [
          { id: 'b', text: 'b' },
          { ...first, text: 'again' },
        ],
      },
    ]);
    assert.deepEqual(merged, [
      { id: 'a', text: 'from the first tier', tier: 'global+axis' },
      { id: 'b', text: 'b', tier: 'domain+axis' },
    ]);
  });

  it('[D-10] tiers stay in their order, and items in theirs, with none lost or repeated', () => {
    const ids = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e', '1', '0'));
    fc.assert(
      fc.property(fc.tuple(ids, ids, ids, ids), (lists) => {
        const merged = mergeTiers(
          TIERS.map((tier, at) => ({ tier, items: (lists[at] ?? []).map((id) => ({ id })) })),
        );
        assert.deepEqual(
          merged.map(({ id }) => id),
          [...new Set(lists.flat())],
        );
        for (const { id, tier } of merged) {
          assert.equal(tier, TIERS[lists.findIndex((list) => list.includes(id))]);
        }
      }),
    );
  });
});
