import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import type { Row } from '../../store/invariants/rows.ts';
import { Lines, readHeader, readRows } from './read.ts';

const SCHEMA = '0016-memory';
const header = { precedent: 2, schema: SCHEMA, workspace: 'w', last: {}, rows: { memos: 2 } };
const rows = ['{"table":"memos","seq":1}', '{"table":"memos","seq":2}'];
const hashOf = (lines: string[]) =>
  createHash('sha256')
    .update(lines.map((line) => `${line}\n`).join(''))
    .digest('hex');
const ofRows = hashOf(rows);
const sha256 = hashOf([JSON.stringify(header), ...rows]);
const whole = [JSON.stringify(header), ...rows, JSON.stringify({ sha256 })];

async function read(stream: Iterable<string>): Promise<{ taken: [string, Row][]; checksum: string }> {
  const lines = new Lines(stream);
  const taken: [string, Row][] = [];
  try {
    const checksum = await readRows(lines, await readHeader(lines, SCHEMA), async (table, row) => {
      taken.push([table, row]);
    });
    return { taken, checksum };
  } finally {
    await lines.close();
  }
}

describe('reading a stream', () => {
  it('[E-1] hands over each row with its table, and the checksum in the end', async () => {
    assert.deepEqual(await read(whole), {
      taken: [
        ['memos', { seq: 1 }],
        ['memos', { seq: 2 }],
      ],
      checksum: ofRows,
    });
  });

  for (const [name, change] of [
    ['format', { precedent: 1 }],
    ['schema', { schema: '0003' }],
  ] as const) {
    it(`[E-1] refuses a stream of an older ${name}`, async () => {
      const older = JSON.stringify({ ...header, ...change });
      await assert.rejects(read([older]), { code: 'unavailable', message: /before the first release/ });
    });
  }

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
    [
      'a header altered',
      [first.replace('"w"', '"v"'), ...rows, footer],
      /Line 4: Expected the checksum and the number/,
    ],
    ['a line more', [...whole, first], /Line 5: Expected nothing after the footer/],
    ['a line that is no object', [first, '[]'], /Line 2: Expected a JSON object/],
  ] as const) {
    it(`[E-3] refuses a stream with ${name}, by the number of the line`, async () => {
      await assert.rejects(read(stream), { code: 'invalid', message });
    });
  }

  for (const [name, change] of [
    ['a last number that leaves none to give out', { last: { records: Number.MAX_SAFE_INTEGER } }],
    ['a last number of a table that has none', { last: { decisions: 1 } }],
    ['a last number below zero', { last: { records: -1 } }],
    ['a last number that is a text', { last: { records: '1' } }],
    ['last numbers as a list', { last: [1] }],
    ['a count of a table that there is not', { rows: { nope: 1 } }],
    ['a format that is no whole number', { precedent: 1.5 }],
    ['a format below the first', { precedent: 0 }],
  ] as const) {
    it(`[E-4] refuses a header with ${name}`, async () => {
      const forged = JSON.stringify({ ...header, ...change });
      await assert.rejects(read([forged]), { code: 'invalid', message: /^Line 1: Expected / });
    });
  }

  it('does not count blank lines', async () => {
    await assert.rejects(read(['', first, ' ', '[]']), /Line 2:/);
    assert.equal((await read([...whole, ''])).checksum, ofRows);
  });

  it('refuses the stream of a newer version', async () => {
    const newer = JSON.stringify({ ...header, schema: '0017' });
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
