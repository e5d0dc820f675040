import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { type AddressInfo, Server as NetServer } from 'node:net';
import { setTimeout as pause, setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createAdaptorServer } from '@hono/node-server';
import { unavailable } from '../domain/error.ts';
import type { IsProxy } from './access/peer.ts';
import { shareConnections } from './connections.ts';

/** Limits for clients, in milliseconds and bytes. Slow and silent clients are disconnected (H-5). */
const LIMITS = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 16_384,
  /** A connection without any traffic, such as one whose client reads no answer. Streams send more often. */
  silence: 120_000,
  connections: 512,
  /** Connections of one address, except of this machine and of trusted proxies. */
  ofOnePeer: 128,
  /** A connection without a valid token, after its last answer. */
  strangerIdle: 5_000,
};
export type Limits = typeof LIMITS;
/**
 * Milliseconds in which a server that shuts down still takes requests, until its load balancer has noticed; and where one
 * asks `/readyz`, every second or two (OP-1).
 */
const SHUTDOWN_DELAY = 500;
const PROBED_DELAY = 5_000;
/** Milliseconds that it waits for requests under way. */
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
   * Shuts down gracefully: requests are still accepted for a moment, then those under way are answered.
   * @param endStreams called after that moment
   * @param isProbed whether a load balancer asks if the server is ready
   */
  close(endStreams: () => Promise<void>, isProbed?: boolean): Promise<void>;
}

/**
 * Serves until it is closed.
 * @param isProxy the trusted proxies, which have no limit of their own. Default: none
 * @throws PrecedentError `unavailable` when the address is taken or may not be used
 */
export async function listen(
  fetch: (request: Request, env: Exchange) => Response | Promise<Response>,
  where: Where,
  { limits = {}, isProxy }: { limits?: Partial<Limits> | undefined; isProxy?: IsProxy | undefined } = {},
): Promise<Listening> {
  const { silence, connections, ofOnePeer, strangerIdle, ...ofNode } = { ...LIMITS, ...limits };
  // The library replaces the global Response by one that is written to the socket without a stream.
  const server = createAdaptorServer({
    fetch: (request, env) => fetch(request, env as Exchange),
    serverOptions: ofNode,
  }) as Server;
  shareConnections(server, { connections, ofOnePeer, strangerIdle }, isProxy);
  server.setTimeout(silence);
  // Node itself answers requests that it cannot parse. An offered upgrade, as Java's client sends with each request, is ignored.
  server.on('connect', (_request, socket) => socket.destroy());
  await started(server, where);
  const address = server.address() as AddressInfo | string | null;
  return {
    port: typeof address === 'object' ? address?.port : undefined,
    connections: () => promisify(server.getConnections.bind(server))(),
    close: (endStreams, isProbed = false) =>
      drain(server, endStreams, isProbed ? PROBED_DELAY : SHUTDOWN_DELAY),
  };
}

async function started(server: Server, where: Where): Promise<void> {
  const shown = 'path' in where ? where.path : `${where.host}:${where.port}`;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) =>
      reject(
        unavailable.cannot_listen(
          `Expected a free address to listen at, found that ${shown} cannot be used (${cause.code}). ${adviceFor(cause.code)}`,
          { cause },
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

/**
 * Closes nothing on which a request may wait: whoever sent it would not know whether it was begun (OP-1). Node's own close of
 * an HTTP server takes a connection for idle whose request it has not read yet.
 */
async function drain(server: Server, endStreams: () => Promise<void>, delay: number): Promise<void> {
  await pause(delay);
  await endStreams();
  const late = setTimeout(() => server.closeAllConnections(), DRAINING);
  await allRead();
  let isClosed = false;
  const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve())).then(
    () => {
      isClosed = true;
    },
  );
  while (!isClosed) {
    await Promise.race([closed, pause(50)]);
    await allRead();
    server.closeIdleConnections();
  }
  clearTimeout(late);
}

/** Milliseconds that a turn of the event loop takes in which nothing had arrived, and how many turns to wait for one. */
const QUIET = 1;
const TURNS = 200;

/** Resolves directly after a look at all sockets that found nothing to read, so that what is closed then is idle. */
async function allRead(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn++) {
    const begun = performance.now();
    await setImmediate();
    if (performance.now() - begun < QUIET) return;
  }
}
