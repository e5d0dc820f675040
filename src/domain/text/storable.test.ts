import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { withinProcessorTime } from '../../../test/support/clock.ts';
import { equalAfterNormalizing, isStorable, withLineFeeds } from './storable.ts';

describe('withLineFeeds', () => {
  it('[K-7] ends lines with a line feed alone, and leaves a carriage return that ends none', () => {
    assert.equal(withLineFeeds('a\r\nb\r\r\nc\n10%\r20%\r'), 'a\nb\nc\n10%\r20%\r');
    fc.assert(
      fc.property(fc.array(fc.constantFrom('\r', '\n', 'a')), (parts) => {
        const once = withLineFeeds(parts.join(''));
        assert(!once.includes('\r\n'));
        assert.equal(withLineFeeds(once), once);
      }),
    );
  });

  it('[K-7] takes a moment of the processor for 5,000,000 carriage returns', async () => {
    await withinProcessorTime(5_000, () => withLineFeeds('\r'.repeat(5_000_000)));
  });
});

describe('isStorable', () => {
  it('[K-7] refuses NUL and half of a surrogate pair, and nothing else', () => {
    for (const text of ['a\0', '\ud83d', 'a\udfffb']) assert(!isStorable(text), JSON.stringify(text));
    for (const text of ['', '🙂\u0001\u007f\u009b\ufffd\uffff'])
      assert(isStorable(text), JSON.stringify(text));
  });
});

describe('equalAfterNormalizing', () => {
  it('[K-7] knows a text that an earlier version kept as it was given', () => {
    assert(equalAfterNormalizing('a\nb', 'a\nb'));
    assert(equalAfterNormalizing('a\nb', 'a\r\n\u001b[31mb\u001b[0m'));
    assert(!equalAfterNormalizing('a\nb', 'a\nc'));
  });
});
