import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TooLong } from './lines.ts';
import { open } from './opening.ts';
import { EVERYDAY } from './tools.ts';

const HELLO = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'it', version: '1' },
};
const line = (message: object) => JSON.stringify({ jsonrpc: '2.0', ...message });
const INITIALIZE = line({ id: 'a', method: 'initialize', params: HELLO });
const THANKS = line({ method: 'notifications/initialized' });
const LIST = line({ id: 'b', method: 'tools/list' });
const PING = line({ id: 'c', method: 'ping' });

/** The ids of what is answered when lines come, and what is left to the server. */
async function opened(...lines: (string | TooLong)[]) {
  const answered: unknown[] = [];
  const given = lines.map((each) => (typeof each === 'string' ? Buffer.from(each) : each));
  async function* stream() {
    yield* given;
  }
  const opening = await open(stream(), {
    tools: EVERYDAY,
    version: '1',
    send: (answer) => answered.push((answer as { id: unknown }).id),
  });
  return [answered, opening && [opening.answered, ...opening.lines.map(String)]];
}

describe('[U-9] the opening of a conversation', () => {
  it('is answered, and the server is told of what it has to know', async () => {
    assert.deepEqual(await opened(INITIALIZE, THANKS, LIST, PING), [
      ['a', 'b'],
      ['a', INITIALIZE, THANKS],
    ]);
    assert.deepEqual(await opened(INITIALIZE, LIST, THANKS), [
      ['a', 'b'],
      ['a', INITIALIZE],
    ]);
  });

  it('is left to the server with the first line that is anything else', async () => {
    assert.deepEqual(await opened(INITIALIZE, THANKS, PING), [['a'], ['a', INITIALIZE, THANKS, PING]]);
    assert.deepEqual(await opened(INITIALIZE, INITIALIZE), [['a'], ['a', INITIALIZE, INITIALIZE]]);
    assert.deepEqual(await opened(INITIALIZE, ''), [['a'], ['a', INITIALIZE, '']]);
    for (const first of ['', 'garbage', LIST, PING, THANKS])
      assert.deepEqual(await opened(first, INITIALIZE), [[], [undefined, first]]);
    const long = INITIALIZE.replace('2025', 'x'.repeat(10_000));
    assert.deepEqual(await opened(long), [[], [undefined, long]]);
    const [, left] = await opened(new TooLong(7));
    assert.equal(left?.length, 2);
  });

  it('loads no server for a client that says no more', async () => {
    assert.deepEqual(await opened(INITIALIZE, THANKS), [['a'], undefined]);
    assert.deepEqual(await opened(), [[], undefined]);
  });
});
