import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type IsProxy, isOfThisMachine, peerOf } from './access/peer.ts';

/** How many connections there may be, and how long one may be idle over which no token was shown. */
export interface Shares {
  /** In all. */
  connections: number;
  /** From one address. */
  ofOnePeer: number;
  /** In milliseconds. */
  strangerIdle: number;
}

/** The token that was shown over a connection last. */
const tokens = new WeakMap<Socket, string>();

/** Notes that a token which holds was shown over a connection: it is kept before those without one (Z-5). */
export function noteToken(socket: Socket, name: string): void {
  tokens.set(socket, name);
}

interface Open {
  peer: string;
  /** Requests that are not answered yet. */
  busy: number;
}

/**
 * Shares the connections of a server (Z-5). Where all places are taken, or all of one address, the newcomer gets the place
 * of another: the oldest connection over which no token was shown; without one, the oldest idle one of the token that has
 * the most. Only where each of those is in use, the newcomer is closed.
 *
 * Users of this machine have one address, and a proxy speaks for many: neither has a share of its own.
 */
export function shareConnections(server: Server, shares: Shares, isProxy: IsProxy = () => false): void {
  /** In the order in which they came. */
  const all = new Map<Socket, Open>();
  const hasShare = (peer: string) => !isOfThisMachine(peer) && !isProxy(peer);
  server.on('connection', (socket: Socket) => {
    const peer = peerOf(socket.remoteAddress, null);
    const same = hasShare(peer) ? [...all].filter(([, other]) => other.peer === peer) : [];
    const isCrowded = same.length >= shares.ofOnePeer;
    if (isCrowded || all.size >= shares.connections) {
      const leaving = leastMissed(isCrowded ? same : [...all]);
      (leaving ?? socket).destroy();
      if (!leaving) return;
      all.delete(leaving);
    }
    all.set(socket, { peer, busy: 0 });
    socket.once('close', () => all.delete(socket));
  });
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const open = all.get(socket);
    if (!open) return;
    open.busy++;
    response.once('close', () => open.busy--);
    // After Node, which gives each the time of those that come back.
    response.once('finish', () => {
      if (!tokens.has(socket)) socket.setTimeout(shares.strangerIdle);
    });
  });
}

/** The connection that is closed for another one; undefined where each is in use. */
function leastMissed(all: [Socket, Open][]): Socket | undefined {
  const stranger = all.find(([socket]) => !tokens.has(socket));
  if (stranger) return stranger[0];
  const byToken = [...Map.groupBy(all, ([socket]) => tokens.get(socket)).values()];
  const idle = byToken
    .toSorted((one, other) => other.length - one.length)
    .flatMap((own) => own.filter(([, { busy }]) => busy === 0));
  return idle[0]?.[0];
}
