import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PrecedentError } from '../domain/error.ts';
import { Connection } from './connection.ts';
import type { Memory } from './memory.ts';

/** Memories whose calls end when the test says so. */
function memories() {
  const opened: {
    isClosed: boolean;
    isOutdated: boolean;
    calls: PromiseWithResolvers<Record<string, unknown>>[];
  }[] = [];
  const connection = new Connection(async () => {
    const own: (typeof opened)[number] = { isClosed: false, isOutdated: false, calls: [] };
    opened.push(own);
    const call = () => {
      assert(!own.isClosed, 'called after it was closed');
      const ended = Promise.withResolvers<Record<string, unknown>>();
      own.calls.push(ended);
      return ended.promise;
    };
    const close = async () => {
      assert(
        own.calls.every((each) => each === undefined || settled.has(each)),
        'closed under a call',
      );
      own.isClosed = true;
    };
    return { call, close, isOutdated: () => own.isOutdated } as unknown as Memory;
  });
  const settled = new Set<unknown>();
  return {
    connection,
    opened,
    answer: (at: PromiseWithResolvers<Record<string, unknown>> | undefined, result: object) => {
      settled.add(at);
      at?.resolve({ ...result });
    },
    refuse: (at: PromiseWithResolvers<Record<string, unknown>> | undefined) => {
      settled.add(at);
      at?.reject(new PrecedentError('unavailable', 'busy', 'The memory was busy.'));
    },
  };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('connection', () => {
  it('[R-17] leaves a memory that was unavailable to one call open for those that still wait', async () => {
    const { connection, opened, answer, refuse } = memories();
    const first = connection.call('a', {});
    const second = connection.call('b', {});
    await turn();
    refuse(opened[0]?.calls[0]);
    await assert.rejects(first, { code: 'unavailable' });
    assert.equal(opened[0]?.isClosed, false);
    const third = connection.call('c', {});
    await turn();
    assert.equal(opened.length, 2, 'the next call opens it again');
    answer(opened[0]?.calls[1], { of: 'second' });
    answer(opened[1]?.calls[0], { of: 'third' });
    assert.deepEqual(await Promise.all([second, third]), [{ of: 'second' }, { of: 'third' }]);
    assert.deepEqual(
      opened.map(({ isClosed }) => isClosed),
      [true, false],
    );
    await connection.finish();
    assert.equal(opened[1]?.isClosed, true);
  });

  it('says when fewer calls run than a number, however they end', async () => {
    const { connection, opened, answer, refuse } = memories();
    const calls = [connection.call('a', {}), connection.call('b', {}).catch(() => {})];
    let isBelow = false;
    const below = connection.below(1).then(() => {
      isBelow = true;
    });
    await connection.below(3);
    await turn();
    answer(opened[0]?.calls[0], {});
    await connection.below(2);
    assert.equal(isBelow, false);
    refuse(opened[0]?.calls[1]);
    await Promise.all([below, ...calls]);
  });

  it('[K-7] opens a memory again that does not show what was saved since, when the calls on it have ended', async () => {
    const { connection, opened, answer } = memories();
    const first = connection.call('a', {});
    await turn();
    if (opened[0]) opened[0].isOutdated = true;
    const second = connection.call('b', {});
    await turn();
    assert.deepEqual([opened.length, opened[0]?.isClosed], [2, false]);
    answer(opened[1]?.calls[0], { of: 'second' });
    answer(opened[0]?.calls[0], { of: 'first' });
    assert.deepEqual(await Promise.all([first, second]), [{ of: 'first' }, { of: 'second' }]);
    assert.deepEqual([opened[0]?.isClosed, opened[1]?.isClosed], [true, false]);
    await connection.finish();
  });

  it('finishes what was begun before it closes', async () => {
    const { connection, opened, answer } = memories();
    const saving = connection.call('a', {});
    await turn();
    const finished = connection.finish();
    await turn();
    assert.equal(opened[0]?.isClosed, false);
    answer(opened[0]?.calls[0], {});
    await saving;
    await finished;
    assert.equal(opened[0]?.isClosed, true);
  });
});
