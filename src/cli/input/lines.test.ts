import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { linesOf } from './lines.ts';

/** The lines of a text that arrives in pieces of so many bytes. */
async function lines(text: string, size: number): Promise<string[]> {
  const bytes = Buffer.from(text);
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, (at + 1) * size),
  );
  const found: string[] = [];
  for await (const line of linesOf(Readable.from(pieces, { objectMode: false }))) found.push(line);
  return found;
}

describe('lines', () => {
  it('are parted by line feeds alone, however the bytes arrive', async () => {
    const line = fc
      .string({ unit: 'binary' })
      .map((text) => text.replace(/[\r\n]/g, '\u2028').toWellFormed());
    await fc.assert(
      fc.asyncProperty(fc.array(line), fc.integer({ min: 1, max: 9 }), async (given, size) => {
        assert.deepEqual(await lines(given.map((each) => `${each}\n`).join(''), size), given);
        assert.deepEqual(await lines(given.map((each) => `${each}\r\n`).join(''), size), given);
      }),
    );
  });

  it('end with the stream, with a line feed or without', async () => {
    assert.deepEqual(await lines('a\n\nb', 2), ['a', '', 'b']);
    assert.deepEqual(await lines('', 1), []);
  });
});
