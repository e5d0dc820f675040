import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { wrapAnsi } from 'fast-wrap-ansi';
import { wrapLine } from './wrap.ts';

/** Plain text, as a list shows it: short words, some blanks together, and now and then a word longer than a line. */
const text = fc
  .array(
    fc.constantFrom(
      '',
      'a',
      'of',
      'cookies',
      'decision:4',
      '·',
      '“to→be”…',
      '1×2–3—4',
      'x'.repeat(20),
      'y'.repeat(31),
    ),
    {
      maxLength: 30,
    },
  )
  .map((words) => words.join(' '));

describe('lines of a text', () => {
  it('[U-9] plain text breaks where the library breaks it', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 20, max: 60 }), (plain, width) => {
        const [first = '', ...rest] = wrapAnsi(plain, width, { hard: true, trim: false }).split('\n');
        const expected = [first, ...rest.map((line) => line.trimStart())].join('\n');
        assert.equal(wrapLine(plain, width), expected);
      }),
      { numRuns: 2_000 },
    );
  });

  it('[U-9] a line that was broken begins with a word, the first keeps its blanks', () => {
    assert.equal(wrapLine('  to be or not', 9), '  to be \nor not');
    assert.equal(wrapLine('', 20), '');
  });
});
