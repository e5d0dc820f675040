import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { pack } from './packing.ts';

interface Thing {
  price: number;
}

/** Things of their own: equal numbers would be one. */
const things = (...prices: number[]): Thing[] => prices.map((price) => ({ price }));
const priceOf = ({ price }: Thing) => price;
const packed = (groups: [share: number, ...prices: number[]][], room: number) =>
  pack(
    groups.map(([share, ...prices], index) => ({ share, items: things(...prices), first: index === 0 })),
    room,
    priceOf,
  ).map((group) => group.map(priceOf));

describe('pack', () => {
  it('[S-2] gives each group its share while another waits, then the rest in their order', () => {
    assert.deepEqual(
      packed(
        [
          [0.6, 30, 30, 30],
          [1, 30, 10],
        ],
        100,
      ),
      [
        [30, 30],
        [30, 10],
      ],
    );
    assert.deepEqual(
      packed(
        [
          [0.6, 30, 30, 30],
          [1, 5],
        ],
        100,
      ),
      [[30, 30, 30], [5]],
    );
  });

  it('[S-1] takes the very first thing also when it is larger than its share', () => {
    assert.deepEqual(
      packed(
        [
          [0.5, 80, 10],
          [1, 15, 15],
        ],
        100,
      ),
      [[80], [15]],
    );
  });

  it('passes over what is too large, and goes on behind it', () => {
    assert.deepEqual(packed([[1, 200, 20]], 100), [[20]]);
  });

  it('[S-2] never takes more than the room, and keeps the order, for any things', () => {
    const items = fc.array(fc.nat(60), { maxLength: 12 });
    fc.assert(
      fc.property(
        items,
        items,
        fc.nat(200),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (one, other, room, share) => {
          const groups = [
            { items: things(...one), share },
            { items: things(...other), share: 1 },
          ];
          const chosen = pack(groups, room, priceOf);
          assert(chosen.flat().reduce((sum, { price }) => sum + price, 0) <= room);
          for (const [index, group] of chosen.entries()) {
            const places = group.map((thing) => groups[index]?.items.indexOf(thing) ?? -1);
            assert.deepEqual(
              places,
              [...new Set(places)].toSorted((a, b) => a - b),
            );
          }
        },
      ),
    );
  });
});
