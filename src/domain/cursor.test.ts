import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { readCursor, readNameCursor, toCursor, toNameCursor } from './cursor.ts';

const places = fc.array(fc.maxSafeInteger(), { minLength: 1, maxLength: 6 });

describe('cursor', () => {
  it('[W-6] any place comes back from its cursor, a short text that no shell and no option takes apart', () => {
    fc.assert(
      fc.property(fc.string(), places, (listing, place) => {
        const cursor = toCursor(listing, place);
        assert.deepEqual(readCursor(listing, cursor), place);
        assert.match(cursor, /^[\da-z][\da-z.-]{0,99}$/);
      }),
    );
  });

  it('[W-6] a text that no answer gave is no cursor', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[\da-z.-]{0,40}$/)), (text) => {
        assert.equal(readCursor('listing', text), undefined);
      }),
    );
    const cursor = toCursor('listing', [17, 4]);
    for (const other of ['', '.', cursor.toUpperCase(), `${cursor} `, `${cursor}.0`, cursor.slice(0, -1)]) {
      assert.equal(readCursor('listing', other), undefined, other);
    }
    for (const number of ['zzzzzzzzzzz', '-0', '01', '1e5', '']) {
      assert.equal(readCursor('listing', `0.${number}`), undefined, number);
    }
  });

  it('[W-6] the cursor of another listing, or with another number, is no cursor', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), places, places, (listing, other, place, elsewhere) => {
        fc.pre(listing !== other && String(place) !== String(elsewhere));
        assert.equal(readCursor(other, toCursor(listing, place)), undefined);
        const [sum] = toCursor(listing, place).split('.');
        const forged = [sum, ...elsewhere.map((number) => number.toString(36))].join('.');
        assert.equal(readCursor(listing, forged), undefined);
      }),
    );
  });

  it('[W-6] a name comes back from the cursor of its listing alone, a text that no shell takes apart', () => {
    fc.assert(
      fc.property(fc.string(), fc.string({ unit: 'grapheme' }), (listing, name) => {
        const cursor = toNameCursor(listing, name);
        assert.equal(readNameCursor(listing, cursor), name);
        assert.match(cursor, /^[\da-z]+\.[\w-]*$/);
        assert.equal(readNameCursor(`${listing} `, cursor), undefined);
        assert.equal(readNameCursor(listing, `${cursor}x`), undefined);
      }),
    );
  });
});
