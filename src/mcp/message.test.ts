import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { withinProcessorTime } from '../../test/support/clock.ts';
import { type Line, TOO_LONG } from '../domain/text/lines.ts';
import { readMessage } from './message.ts';

const PING = { jsonrpc: '2.0', id: 7, method: 'ping' };
const [NO_JSON, INVALID] = [-32700, -32600];

/** What becomes of a line: the message, or the code and the id of the error that answers it. */
function received(line: string | Line) {
  const read = readMessage(typeof line === 'string' ? Buffer.from(line) : line);
  if (read === undefined || 'message' in read) return read?.message;
  const { answer, why } = read.refusal;
  assert.match(why, /^Expected .* found .*\.$/);
  return answer && [answer.error.code, answer.id];
}

describe('a line as a message', () => {
  it('is read as JSON-RPC, with a carriage return at its end or without', () => {
    for (const end of ['', '\r', ' ']) assert.deepEqual(received(JSON.stringify(PING) + end), PING);
    for (const nothing of ['', '\r', '  ']) assert.equal(received(nothing), undefined);
  });

  it('is refused under the id of its request where it has one, else under none', () => {
    const text = JSON.stringify({ ...PING, params: { x: '한' } });
    const cut = Buffer.from(text.replace('한', '?')).map((byte) => (byte === 63 ? 0xff : byte));
    for (const [line, code, id] of [
      ['garbage', NO_JSON, null],
      ['{"jsonrpc":"2.0","id":7,', NO_JSON, null],
      ['\ufeff{}', NO_JSON, null],
      [Buffer.from(cut), NO_JSON, 7],
      ['null', INVALID, null],
      ['{}', INVALID, null],
      ['{"jsonrpc":"2.0","id":7}', INVALID, null],
      ['{"jsonrpc":"1.0","id":7,"method":"ping"}', INVALID, 7],
      ['{"jsonrpc":"2.0","id":"a","method":7}', INVALID, 'a'],
      ['{"jsonrpc":"2.0","id":null,"method":"ping"}', INVALID, null],
      ['{"jsonrpc":"2.0","id":1.5,"method":"ping"}', INVALID, null],
      ['{"jsonrpc":"2.0","method":"ping","params":[]}', INVALID, null],
      [`[${JSON.stringify(PING)}]`, INVALID, null],
      ['[]', INVALID, null],
      [TOO_LONG, INVALID, null],
    ] as const)
      assert.deepEqual(received(line), [code, id], String(line));
  });

  it('is never answered when it is an answer itself', () => {
    for (const broken of ['{"jsonrpc":"2.0","id":7,"result":3}', '{"jsonrpc":"2.0","id":7,"error":"x"}'])
      assert.equal(received(broken), undefined);
  });

  it('is refused before it takes a parser gigabytes, and not for what its texts hold', () => {
    for (const huge of ['['.repeat(2_000_000), `[${'1,'.repeat(2_000_000)}1]`, `[${'{},'.repeat(200_000)}1]`])
      assert.deepEqual(received(huge), [INVALID, null]);
    const text = '[{,"\\'.repeat(100_000);
    const message = { ...PING, params: { text, more: ['"', '\\', '\\"', ''] } };
    assert.deepEqual(received(JSON.stringify(message)), message);
  });

  it('takes little time for the longest observation that is allowed, each character an escape', async () => {
    const content = '\\uac00'.repeat(5_000_000);
    const line = Buffer.from(`{"jsonrpc":"2.0","id":7,"method":"x","params":{"content":"${content}"}}`);
    assert('message' in ((await withinProcessorTime(2_000, () => readMessage(line))) ?? {}));
  });
});
