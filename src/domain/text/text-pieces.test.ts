import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { analyse } from '../language/analysis.ts';
import { textPieces } from './text-pieces.ts';

const PARTS = [
  'getUserById',
  'HTTPServer',
  '결정을',
  '기록',
  'naïve',
  'e\u0301',
  '\u0301',
  'ΌΔΟΣ',
  '東京',
  'ー々',
  '\u200d',
  '1️⃣',
  '.',
  '"',
  'x'.repeat(70),
];
const BLANKS = [' ', '\n', '\t', '  ', '\u00a0', '', '-'];

describe('a text in pieces', () => {
  it('[Z-5] has the tokens of the whole, whatever it holds and however small the pieces are', () => {
    const text = fc.array(
      fc.tuple(
        fc.oneof(fc.constantFrom(...PARTS), fc.string({ unit: 'binary', maxLength: 4 })),
        fc.constantFrom(...BLANKS),
      ),
    );
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 40 }), (parts, size) => {
        const whole = parts.flat().join('');
        const pieces = [...textPieces(whole, size)];
        assert.equal(pieces.join(''), whole);
        assert.deepEqual(pieces.flatMap(analyse), analyse(whole));
      }),
      { numRuns: 2_000, seed: 5 },
    );
  });

  it('[Z-5] is cut between words, as soon as it may be', () => {
    assert.deepEqual([...textPieces('one two three four', 5)], ['one two ', 'three ', 'four']);
    assert.deepEqual([...textPieces('onetwothree', 5)], ['onetwothree']);
    assert.deepEqual([...textPieces('', 5)], ['']);
    assert.deepEqual([...textPieces('결정을,기록한다。東京', 2)], ['결정을,', '기록한다。', '東京']);
  });

  it('[Z-5] is cut at the latest where 1,024 characters begin no word, and never within a character', () => {
    for (const sign of ['\u0301', '가', '\ufdfa', '😀']) {
      const text = `x${sign.repeat(20_000)}`;
      const pieces = [...textPieces(text)];
      assert.equal(pieces.join(''), text);
      assert(pieces.every((piece) => piece.length <= 2_048 && piece.isWellFormed()));
    }
  });
});
