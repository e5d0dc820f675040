import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { Lines, type Row, readHeader, readRows } from './read.ts';

const header = { precedent: 1, schema: '0003', workspace: 'w', last: {}, rows: { memos: 2 } };
const rows = ['{"table":"memos","seq":1}', '{"table":"memos","seq":2}'];
const sha256 = createHash('sha256')
  .update(rows.map((row) => `${row}\n`).join(''))
  .digest('hex');
const whole = [JSON.stringify(header), ...rows, JSON.stringify({ sha256 })];

async function read(stream: Iterable<string>): Promise<{ taken: [string, Row][]; checksum: string }> {
  const lines = new Lines(stream);
  const taken: [string, Row][] = [];
  try {
    const checksum = await readRows(lines, await readHeader(lines, '0003'), async (table, row) => {
      taken.push([table, row]);
    });
    return { taken, checksum };
  } finally {
    await lines.close();
  }
}

describe('reading a stream', () => {
  it('[T-1] hands over each row with its table, and the checksum in the end', async () => {
    assert.deepEqual(await read(whole), {
      taken: [
        ['memos', { seq: 1 }],
        ['memos', { seq: 2 }],
      ],
      checksum: sha256,
    });
  });

  const footer = JSON.stringify({ sha256 });
  const [first = '', row = ''] = whole;
  for (const [name, stream, message] of [
    ['nothing', [], /Line 1: Expected more lines/],
    ['a row first', rows, /Line 1: Expected the header/],
    ['no footer', whole.slice(0, -1), /Line 4: Expected more lines/],
    ['a row too few', [first, row, footer], /Line 3: Expected the checksum and the number/],
    ['a row altered', [first, row, row, footer], /Line 4: Expected the checksum and the number/],
    ['a row twice', [first, ...rows, row, footer], /Line 5: Expected the checksum and the number/],
    ['an unknown table', [first, '{"table":"nope"}'], /Line 2: Expected the row of a table/],
    ['a line more', [...whole, first], /Line 5: Expected nothing after the footer/],
    ['a line that is no object', [first, '[]'], /Line 2: Expected a JSON object/],
  ] as const) {
    it(`[T-3] refuses a stream with ${name}, by the number of the line`, async () => {
      await assert.rejects(read(stream), { code: 'invalid', message });
    });
  }

  it('does not count blank lines', async () => {
    await assert.rejects(read(['', first, ' ', '[]']), /Line 2:/);
    assert.equal((await read([...whole, ''])).checksum, sha256);
  });

  it('refuses the stream of a newer version', async () => {
    const newer = JSON.stringify({ ...header, schema: '0004' });
    await assert.rejects(read([newer]), { code: 'unavailable', message: /Update Precedent/ });
  });

  it('tells its source when it stops early', async () => {
    let closed = false;
    function* source() {
      try {
        yield first;
        yield '[]';
        yield 'never read';
      } finally {
        closed = true;
      }
    }
    await assert.rejects(read(source()), /Line 2:/);
    assert(closed);
  });
});
