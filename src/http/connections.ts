import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type IsProxy, isOfThisMachine, peerOf } from './access/peer.ts';

/** Limits on connections, and how long one without a valid token may be idle. */
export interface Shares {
  /** In all. */
  connections: number;
  /** From one address. */
  ofOnePeer: number;
  /** In milliseconds. */
  strangerIdle: number;
}

/** The last valid token of a connection. */
const tokens = new WeakMap<Socket, string>();

/** Remembers that a connection has a valid token: those without one are closed first (Z-5). */
export function rememberToken(socket: Socket, name: string): void {
  tokens.set(socket, name);
}

interface Open {
  peer: string;
  /** Unanswered requests. */
  busy: number;
}

/**
 * Limits the connections of a server, in all and of one address (Z-5). At the limit another connection is closed for the new
 * one: the oldest without a valid token, else the oldest idle one of the token that has the most. If all are in use, the new
 * one is closed.
 *
 * The limit of one address does not apply to this machine, whose users share an address, nor to proxies.
 */
export function shareConnections(server: Server, shares: Shares, isProxy: IsProxy = () => false): void {
  /** The oldest first. */
  const all = new Map<Socket, Open>();
  const hasShare = (peer: string) => !isOfThisMachine(peer) && !isProxy(peer);
  server.on('connection', (socket: Socket) => {
    const peer = peerOf(socket.remoteAddress, null);
    const same = hasShare(peer) ? [...all].filter(([, other]) => other.peer === peer) : [];
    const isCrowded = same.length >= shares.ofOnePeer;
    if (isCrowded || all.size >= shares.connections) {
      const leaving = connectionToClose(isCrowded ? same : [...all]);
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
    // Set here, since Node then has set its own timeout for kept-alive connections.
    response.once('finish', () => {
      if (!tokens.has(socket)) socket.setTimeout(shares.strangerIdle);
    });
  });
}

/** The connection to close for a new one; undefined if all are in use. */
function connectionToClose(all: [Socket, Open][]): Socket | undefined {
  const stranger = all.find(([socket]) => !tokens.has(socket));
  if (stranger) return stranger[0];
  const byToken = [...Map.groupBy(all, ([socket]) => tokens.get(socket)).values()];
  const idle = byToken
    .toSorted((one, other) => other.length - one.length)
    .flatMap((own) => own.filter(([, { busy }]) => busy === 0));
  return idle[0]?.[0];
}
