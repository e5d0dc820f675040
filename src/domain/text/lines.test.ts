import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { withinProcessorTime } from '../../../test/support/clock.ts';
import { linesOf, TOO_LONG } from './lines.ts';

async function* pieces(text: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < text.length; at += size) yield text.subarray(at, at + size);
}

async function read(text: Buffer | string, size: number, longest = 1_000): Promise<(string | undefined)[]> {
  const lines = [];
  for await (const together of linesOf(pieces(Buffer.from(text), size), longest)) lines.push(...together);
  return lines.map((line) => (line === TOO_LONG ? undefined : line.toString()));
}

describe('lines of bytes', () => {
  it('are the same in whatever pieces they come, the last one also without its end', async () => {
    const text = fc.string({ unit: fc.constantFrom('a', '한', '\n', '🔑', '\r') });
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 1, max: 9 }), async (whole, size) => {
        const expected = whole.split('\n');
        if (expected.at(-1) === '') expected.pop();
        assert.deepEqual(await read(whole, size), expected);
      }),
    );
  });

  it('that are too long are named and not kept, and the next one is read', async () => {
    for (const size of [1, 3, 100]) {
      const text = `${'a'.repeat(10)}\n${'b'.repeat(11)}\n${'c'.repeat(30)}\nd`;
      assert.deepEqual(await read(text, size, 10), ['a'.repeat(10), undefined, undefined, 'd']);
    }
  });

  it('take time in proportion to their length, in small pieces too', async () => {
    const line = Buffer.alloc(30_000_000, 'x');
    const [given] = await withinProcessorTime(2_000, () => read(line, 16_384, line.length));
    assert.equal(String(given).length, line.length);
  });
});
