import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { getRequestListener } from '@hono/node-server';
import { PrecedentError } from '../domain/error.ts';
import type { IsProxy } from './access/peer.ts';
import { shareConnections } from './connections.ts';

/** What a client may take of a server: who sends slowly, or nothing, is cut off (H-5). In milliseconds and bytes. */
const LIMITS = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 16_384,
  /** Of a connection on which nothing moves, such as one whose client takes no answer. Streams move more often. */
  silence: 120_000,
  connections: 512,
  /** Of one address that is not of this machine, and no trusted proxy. */
  ofOnePeer: 128,
  /** Of a connection over which no token was shown, after its last answer. */
  strangerIdle: 5_000,
};
export type Limits = typeof LIMITS;
/** How long a server that ends still takes requests, until its balancer has seen it, in milliseconds. */
const LULL = 500;
/** How long it waits for what it has begun, in milliseconds. */
const DRAINING = 10_000;

/** A request and its response, as Node has them. */
export interface Exchange {
  incoming: IncomingMessage;
  outgoing: ServerResponse;
}

/** Where to listen: a port, or a socket of this machine. */
export type Where = { host: string; port: number } | { path: string };

export interface Listening {
  /** The port that was taken, where it is one. */
  port: number | undefined;
  /** How many connections are open. */
  connections(): Promise<number>;
  /**
   * Ends without cutting what was begun: requests are still taken for a moment, then those under way are answered.
   * @param quiet called after the lull: ends what streams
   */
  close(quiet: () => Promise<void>): Promise<void>;
}

/**
 * Serves until it is closed.
 * @param isProxy the proxies that speak for many: left out, none
 * @throws PrecedentError `unavailable` when the address is taken or may not be used
 */
export async function listen(
  fetch: (request: Request, env: Exchange) => Response | Promise<Response>,
  where: Where,
  { limits = {}, isProxy }: { limits?: Partial<Limits> | undefined; isProxy?: IsProxy | undefined } = {},
): Promise<Listening> {
  const { silence, connections, ofOnePeer, strangerIdle, ...ofNode } = { ...LIMITS, ...limits };
  // Its own kind of response, which it puts in place of the one everybody has, goes to the socket without a stream.
  const answer = getRequestListener((request, env) => fetch(request, env as Exchange));
  const server = createServer(
    ofNode,
    (request: IncomingMessage, response: ServerResponse) => void answer(request, response),
  );
  shareConnections(server, { connections, ofOnePeer, strangerIdle }, isProxy);
  server.setTimeout(silence);
  // Node answers what it cannot read itself, in a word; nothing of it reaches a handler. Who would rather speak another
  // protocol, as Java's client offers with each request, is answered in this one.
  server.on('connect', (_request, socket) => socket.destroy());
  await started(server, where);
  const address = server.address() as AddressInfo | string | null;
  return {
    port: typeof address === 'object' ? address?.port : undefined,
    connections: () => promisify(server.getConnections.bind(server))(),
    close: (quiet) => drain(server, quiet),
  };
}

async function started(server: Server, where: Where): Promise<void> {
  const shown = 'path' in where ? where.path : `${where.host}:${where.port}`;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) =>
      reject(
        new PrecedentError(
          'unavailable',
          `Expected to listen at ${shown}, and could not (${cause.code}). ${adviceFor(cause.code)}`,
          {
            cause,
          },
        ),
      ),
    );
    server.listen(where, () => resolve());
  });
}

function adviceFor(code: string | undefined): string {
  if (code === 'EADDRINUSE') return 'Another program listens there: name another port with --port.';
  if (code === 'EACCES') return 'Name a port above 1023 with --port.';
  return 'Name another address with --host and --port.';
}

/** Node's own close would cut requests that it has not read yet, since it takes their connection for idle. */
async function drain(server: Server, quiet: () => Promise<void>): Promise<void> {
  await pause(LULL);
  await quiet();
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  const late = setTimeout(() => server.closeAllConnections(), DRAINING);
  await closed;
  clearInterval(idle);
  clearTimeout(late);
}
