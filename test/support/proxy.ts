import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { after } from 'node:test';

/** What happens to a connection when a client says `commit`. */
export type OnCommit = 'pass' | 'cut before' | 'cut after';

export interface Proxy {
  port: number;
  /** What is done with the next commit; afterwards everything passes again. */
  next: OnCommit;
  /** What happens first, while the client waits for its commit. */
  beforeCut: () => Promise<unknown>;
  /** Nobody is let in while it is true, as if the server were gone. */
  closed: boolean;
  /** New connections reach the server when this has happened. */
  admission: Promise<unknown>;
  /** How many wait for that. */
  waiting: number;
  /** How many were not let in. */
  refused: number;
  /** The most connections that were open at once. */
  most: number;
  /** How many pieces of data go through until everything is cut, again and again; asked for after each cut. */
  cutAfter: (() => number) | undefined;
  /** How often everything was cut. */
  cuts: number;
  cut(): void;
}

/** Stands before a server, and cuts connections at the worst moment. */
export async function proxyTo(target: number): Promise<Proxy> {
  const open = new Set<Socket>();
  const proxy: Proxy = {
    port: 0,
    next: 'pass',
    beforeCut: async () => {},
    closed: false,
    admission: Promise.resolve(),
    waiting: 0,
    refused: 0,
    most: 0,
    cutAfter: undefined,
    cuts: 0,
    cut() {
      proxy.cuts++;
      for (const socket of open) socket.destroy();
    },
  };
  let left: number | undefined;
  /** @returns whether this piece of data still goes through */
  const pass = () => {
    left = proxy.cutAfter && (left ?? proxy.cutAfter());
    if (left === undefined || left-- > 0) return true;
    left = undefined;
    proxy.cut();
    return false;
  };
  const server = createServer(async (client) => {
    client.on('error', () => {});
    client.pause();
    proxy.waiting++;
    await proxy.admission;
    proxy.waiting--;
    client.resume();
    if (proxy.closed) {
      proxy.refused++;
      client.destroy();
      return;
    }
    const upstream = connect(target, '127.0.0.1');
    const both = [client, upstream];
    for (const socket of both) {
      open.add(socket);
      proxy.most = Math.max(proxy.most, open.size / 2);
      socket.on('error', () => {});
      socket.on('close', () => {
        open.delete(socket);
        for (const each of both) each.destroy();
      });
    }
    let deaf = false;
    client.on('data', (data) => {
      if (proxy.next !== 'pass' && /commit\0/i.test(data.toString('latin1'))) {
        const how = proxy.next;
        proxy.next = 'pass';
        if (how === 'cut before') {
          proxy.beforeCut().finally(() => client.destroy());
          return;
        }
        // The server commits, and its answer never arrives.
        deaf = true;
      }
      if (pass()) upstream.write(data);
    });
    upstream.on('data', (data) => {
      if (deaf) client.destroy();
      else if (pass()) client.write(data);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  proxy.port = (server.address() as AddressInfo).port;
  after(() => {
    proxy.cut();
    server.close();
  });
  return proxy;
}
