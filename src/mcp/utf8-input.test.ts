import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { markingWhatIsNotUtf8 } from './utf8-input.ts';

/** What comes out when bytes arrive in pieces of this size. */
async function passed(bytes: Uint8Array, size: number): Promise<string> {
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, (at + 1) * size),
  );
  return String(await buffer(Readable.from(pieces, { objectMode: false }).pipe(markingWhatIsNotUtf8())));
}

describe('the bytes of a client', () => {
  it('[K-7] pass as they are when they are UTF-8, however they arrive', async () => {
    const text = fc.string({ unit: 'binary' }).map((each) => `${each.toWellFormed()}\ufffd한🙂\n`);
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 1, max: 9 }), async (given, size) => {
        assert.equal(await passed(Buffer.from(given), size), given);
      }),
    );
  });

  it('[K-7] are marked where they are none, and nothing else is', async () => {
    const strayed = fc.constantFrom([0xff], [0xc3], [0xe2, 0x82], [0xed, 0xa0, 0x80], [0xc0, 0x80], [0x80]);
    await fc.assert(
      fc.asyncProperty(strayed, fc.integer({ min: 1, max: 9 }), async (bytes, size) => {
        for (const before of ['', '\\', '\\\\']) {
          const line = Buffer.concat([
            Buffer.from(`{"a":"한\ufffd","b":"${before}`),
            Buffer.from(bytes),
            Buffer.from('"}\n'),
          ]);
          const { a, b } = JSON.parse(await passed(line, size)) as { a: string; b: string };
          assert.equal(a, '한\ufffd');
          assert(!b.isWellFormed(), JSON.stringify(b));
        }
      }),
    );
  });
});
