import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { settle } from '../../test/support/until.ts';
import { Queue } from './queue.ts';

/** A queue, and calls that end when they are told to. */
function queue() {
  const queue = new Queue();
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const calls: Promise<unknown>[] = [];
  return {
    queue,
    begun,
    calls,
    call(token: string, name: string): void {
      const work = () => {
        begun.push(name);
        return new Promise<void>((end) => ends.set(name, end));
      };
      calls.push(queue.run(token, work));
    },
    async end(name: string): Promise<void> {
      ends.get(name)?.();
      await settle();
    },
  };
}

/** One more call is refused without waiting for another one to end. */
async function refusesAtOnce(queue: Queue, token: string, error: object): Promise<void> {
  const call = queue.run(token, async () => assert.fail('has begun'));
  const waits = settle().then(() => assert.fail('waits'));
  await assert.rejects(Promise.race([call, waits]), error);
}

describe('[Z-5] the calls that wait for one memory', () => {
  it('one token never has all places: the call of another begins at once', () => {
    const { call, begun } = queue();
    for (let n = 1; n <= 30; n++) call('greedy', `g${n}`);
    call('other', 'o1');
    assert.deepEqual(begun, ['g1', 'g2', 'g3', 'o1']);
  });

  it('tokens take turns, and the calls of one keep their order', async () => {
    const { call, end, begun } = queue();
    for (let n = 1; n <= 10; n++) call('a', `a${n}`);
    for (let n = 1; n <= 3; n++) call('b', `b${n}`);
    call('c', 'c1');
    assert.deepEqual(begun, ['a1', 'a2', 'a3', 'b1']);
    for (const name of ['a1', 'a2', 'a3', 'b1', 'a4']) await end(name);
    assert.deepEqual(begun.slice(4), ['a4', 'b2', 'c1', 'a5', 'b3']);
  });

  it('[H-5] so many may wait, of one token half as many; who is refused has nothing to wait for', async () => {
    const { queue: tried, call, begun, calls } = queue();
    for (let n = 0; n < 3 + 32; n++) call('a', `a${n}`);
    await refusesAtOnce(tried, 'a', {
      code: 'unavailable',
      reason: 'busy',
      message: 'Too many calls of this token wait for this memory, 32. Try again in a second.',
    });
    for (let n = 0; n < 1 + 32; n++) call('b', `b${n}`);
    assert.equal(tried.waiting, 64);
    await refusesAtOnce(tried, 'c', { code: 'unavailable', reason: 'busy' });
    assert.equal(begun.length, 4);
    assert.equal(calls.length, 68);
  });

  it('others of the process get their turn before the next call begins', async () => {
    const { call, end, begun } = queue();
    for (let n = 1; n <= 4; n++) call('a', `a${n}`);
    const seen = new Promise<string[]>((resolve) => setImmediate(() => resolve([...begun])));
    const ended = end('a1');
    assert.deepEqual(await seen, ['a1', 'a2', 'a3']);
    await ended;
    assert.deepEqual(begun, ['a1', 'a2', 'a3', 'a4']);
  });

  it('a call that fails gives its place on', async () => {
    const { queue: tried, call, begun } = queue();
    let fail = () => {};
    const failing = tried.run('a', () => new Promise((_, reject) => (fail = () => reject(new Error('x')))));
    for (let n = 1; n <= 3; n++) call('a', `a${n}`);
    assert.deepEqual(begun, ['a1', 'a2']);
    fail();
    await assert.rejects(failing, /x/);
    await settle();
    assert.deepEqual(begun, ['a1', 'a2', 'a3']);
    assert.equal(tried.waiting, 0);
  });
});
