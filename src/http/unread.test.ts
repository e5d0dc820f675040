import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { describe, it } from 'node:test';
import { until } from '../../test/support/until.ts';
import { Unread } from './unread.ts';

/** A response over a connection of its own, that nobody reads. */
function response(): ServerResponse {
  const socket = Object.assign(new EventEmitter(), {
    destroyed: false,
    destroy() {
      socket.destroyed = true;
      socket.emit('close');
    },
  });
  return Object.assign(new EventEmitter(), { req: { socket } }) as unknown as ServerResponse;
}

describe('[Z-5] answers that wait to be read', () => {
  it('one token has a share of them, and there are so many in all', () => {
    const unread = new Unread({ ofOne: 100, inAll: 250 });
    for (const token of ['a', 'b']) unread.add(token, 90, response());
    unread.check('a', 9);
    assert.throws(() => unread.check('a', 10), {
      code: 'unavailable',
      reason: 'busy',
      message: /this token/,
    });
    unread.check('c', 69);
    assert.throws(() => unread.check('c', 70), { code: 'unavailable', message: /^Too many answers wait/ });
  });

  it('those of a batch count together, until their response is sent', () => {
    const unread = new Unread({ ofOne: 100 });
    const batch = response();
    for (let n = 0; n < 5; n++) unread.add('a', 20, batch);
    assert.throws(() => unread.check('a'), /this token/);
    batch.emit('close');
    unread.check('a', 99);
  });

  it('what nobody reads any more does not count', () => {
    const unread = new Unread({ ofOne: 100 });
    const gone = response();
    gone.req.socket.destroy();
    unread.add('a', 100, gone);
    unread.check('a');
  });

  it('who takes too long is cut off, also where the response never had its turn on the connection', async () => {
    const unread = new Unread({ ofOne: 100, milliseconds: 1 });
    const slow = response();
    unread.add('a', 100, slow);
    await until(() => slow.req.socket.destroyed);
    unread.check('a');
  });
});
