import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { sharesOf, TIERS, tiersFor } from './tier.ts';

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

describe('sharesOf', () => {
  it('[D-21] gives each tier a quarter, at least one, and what is left to the first ones', () => {
    assert.deepEqual(sharesOf(8, [100, 100, 100, 100]), [2, 2, 2, 2]);
    assert.deepEqual(sharesOf(8, [100, 0, 1, 100]), [5, 0, 1, 2]);
    assert.deepEqual(sharesOf(8, [1, 100, 0, 100]), [1, 5, 0, 2]);
    assert.deepEqual(sharesOf(3, [9, 9, 9, 9]), [1, 1, 1, 0]);
    assert.deepEqual(sharesOf(100, [9, 9, 9, 9]), [9, 9, 9, 9]);
  });

  it('[D-21] never gives more than there is or than the limit, wastes nothing, and hides no tier from four on', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 60 }),
        fc.array(fc.nat(40), { minLength: 4, maxLength: 4 }),
        (limit, sizes) => {
          const shares = sharesOf(limit, sizes);
          const all = shares.reduce((sum, share) => sum + share, 0);
          assert.equal(
            all,
            Math.min(
              limit,
              sizes.reduce((sum, size) => sum + size, 0),
            ),
          );
          for (const [tier, share] of shares.entries()) {
            const size = sizes[tier] ?? 0;
            assert(share <= size);
            if (limit >= 4) assert(share >= Math.min(size, Math.floor(limit / 4)));
          }
        },
      ),
    );
  });
});
