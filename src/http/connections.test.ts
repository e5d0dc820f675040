import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { describe, it } from 'node:test';
import { rememberToken, shareConnections } from './connections.ts';

const SHARES = { connections: 6, ofOnePeer: 3, strangerIdle: 5_000 };

/** A server that nobody reaches, and what comes to it. */
function server(isProxy?: (address: string) => boolean) {
  const events = new EventEmitter();
  shareConnections(events as Server, SHARES, isProxy);
  const open: string[] = [];
  const sockets = new Map<string, Socket & { idleAfter?: number }>();
  const of = (name: string) => sockets.get(name) as Socket & { idleAfter?: number };
  return {
    open,
    of,
    connect(name: string, remoteAddress: string, token?: string): void {
      const socket = Object.assign(new EventEmitter(), {
        remoteAddress,
        destroy: () => socket.emit('close'),
        setTimeout: (idleAfter: number) => Object.assign(socket, { idleAfter }),
      }) as unknown as Socket;
      sockets.set(name, socket);
      open.push(name);
      socket.once('close', () => open.splice(open.indexOf(name), 1));
      events.emit('connection', socket);
      if (token !== undefined) rememberToken(socket, token);
    },
    /** @returns a function that answers it */
    request(name: string): () => void {
      const response = new EventEmitter();
      events.emit('request', { socket: of(name) }, response);
      return () => {
        response.emit('finish');
        response.emit('close');
      };
    },
  };
}

describe('[Z-5] the connections of a server', () => {
  it('one address has a share: a newcomer of it takes the place of its own oldest without a token', () => {
    const { connect, open } = server();
    for (const name of ['a1', 'a2', 'a3']) connect(name, '203.0.113.5', name === 'a1' ? 'kim' : undefined);
    connect('b1', '198.51.100.1');
    connect('a4', '::ffff:203.0.113.5');
    assert.deepEqual(open, ['a1', 'a3', 'b1', 'a4']);
  });

  it('where all places are taken, the oldest without a token goes first, then an idle one of the token with the most', () => {
    const { connect, request, open, of } = server();
    connect('one', '127.0.0.1', 'kim');
    for (const name of ['many1', 'many2', 'many3', 'many4']) connect(name, '127.0.0.1', 'lee');
    connect('stranger', '127.0.0.1');
    const answer = request('many1');
    connect('x', '127.0.0.1');
    assert.deepEqual(open, ['one', 'many1', 'many2', 'many3', 'many4', 'x']);
    rememberToken(of('x'), 'park');
    connect('y', '127.0.0.1', 'park');
    assert.deepEqual(open, ['one', 'many1', 'many3', 'many4', 'x', 'y'], 'one in use stays');
    answer();
    connect('z', '127.0.0.1', 'park');
    assert.deepEqual(open, ['one', 'many3', 'many4', 'x', 'y', 'z']);
  });

  it('a newcomer is closed where all others are in use', () => {
    const { connect, request, open } = server();
    for (let n = 0; n < SHARES.connections; n++) {
      connect(`c${n}`, '127.0.0.1', 'kim');
      request(`c${n}`);
    }
    connect('late', '127.0.0.1');
    assert.equal(open.length, SHARES.connections);
    assert(!open.includes('late'));
  });

  it('neither users of this machine nor a proxy that is trusted have a share of their own', () => {
    for (const address of ['127.0.0.1', '::1', undefined, '10.0.0.9']) {
      const { connect, open } = server((each) => each === '10.0.0.9');
      for (let n = 0; n < SHARES.connections; n++) connect(`c${n}`, address as string);
      assert.equal(open.length, SHARES.connections, String(address));
    }
  });

  it('one over which no token was shown is idle for a few seconds alone', () => {
    const { connect, request, of } = server();
    connect('stranger', '203.0.113.5');
    connect('known', '203.0.113.5', 'kim');
    request('stranger')();
    request('known')();
    assert.deepEqual([of('stranger').idleAfter, of('known').idleAfter], [SHARES.strangerIdle, undefined]);
  });
});
