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
  /** The most connections that were open at once. */
  most: number;
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
    most: 0,
    cut() {
      for (const socket of open) socket.destroy();
    },
  };
  const server = createServer((client) => {
    if (proxy.closed) {
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
      if (proxy.next !== 'pass' && data.includes('commit\0')) {
        const how = proxy.next;
        proxy.next = 'pass';
        if (how === 'cut before') {
          proxy.beforeCut().finally(() => client.destroy());
          return;
        }
        // The server commits, and its answer never arrives.
        deaf = true;
      }
      upstream.write(data);
    });
    upstream.on('data', (data) => {
      if (deaf) client.destroy();
      else client.write(data);
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
