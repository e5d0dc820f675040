import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { addressesOf } from '../../src/cli/serving/where.ts';
import { byTokens } from '../../src/http/access/authenticate.ts';
import type { Grant } from '../../src/http/access/grant.ts';
import { hashOf, newToken } from '../../src/http/access/tokens.ts';
import { type AppOptions, createApp } from '../../src/http/app.ts';
import type { AuditEntry } from '../../src/http/audit.ts';
import { type Limits, listen } from '../../src/http/listen.ts';
import { Memories, type Source } from '../../src/http/memories.ts';
import { Metrics } from '../../src/http/metrics.ts';
import { outagesTo } from '../../src/http/outage.ts';
import { Unread } from '../../src/http/unread.ts';
import { openMemory } from '../../src/memory/memory.ts';
import { toolsOf } from '../../src/operations/tools.ts';

/** What a server of the tests takes for the time. */
export const NOW = Date.UTC(2026, 10, 22);
const DAY = 86_400_000;
/** Whom the tokens of the tests speak for, unless a test says otherwise. */
export const GRANT: Grant = {
  name: 'test',
  author: 'Kim Minsu <minsu@example.com>',
  person: false,
  workspaces: undefined,
  access: 'write',
  expires: NOW + DAY,
};

/** A server on a port of this machine, with memories in a folder. */
export interface Serving {
  url: string;
  port: number;
  /** A token for each name; `all` may do everything. */
  tokens: Record<string, string>;
  audited: AuditEntry[];
  logged: string[];
  /** Calls an operation by the API. */
  api(path: string, input: unknown, token?: string): Promise<{ status: number; body: Record<string, never> }>;
  /** Sends bytes as they are, and reads until the server closes. */
  raw(bytes: string): Promise<string>;
  /** How many connections it holds. */
  connections(): Promise<number>;
  close(): Promise<void>;
}

/** @param grants the tokens by name, beside `all` */
export async function serving(
  folder: string,
  grants: Record<string, Partial<Grant>> = {},
  options: Partial<AppOptions> & { source?: Partial<Source>; limits?: Partial<Limits>; port?: number } = {},
): Promise<Serving> {
  const all = Object.entries({ all: {}, ...grants }).map(([name, grant]) => {
    const token = newToken();
    return { token, record: { ...GRANT, name, ...grant, hash: hashOf(token) } };
  });
  const audited: AuditEntry[] = [];
  const logged: string[] = [];
  const log = (message: string) => void logged.push(message);
  const source: Source = {
    main: 'main',
    list: async () =>
      readdirSync(folder)
        .filter((file) => file.endsWith('.db'))
        .map((file) => file.slice(0, -3)),
    open: (workspace) => openMemory({ db: join(folder, `${workspace}.db`), workspace, log }),
    ...options.source,
  };
  const memories = new Memories(source);
  const metrics = new Metrics({ waiting: () => memories.waiting, version: '0.0.0' });
  let port: number | undefined;
  const app = createApp({
    memories,
    metrics,
    unread: new Unread(),
    audit: (entry) => void audited.push(entry),
    log,
    outage: outagesTo(log, () => NOW),
    now: () => NOW,
    authenticate: byTokens(
      all.map(({ record }) => record),
      () => NOW,
    ),
    addresses: () => addressesOf(port, undefined),
    tools: toolsOf(undefined),
    rate: { burst: 10_000, perSecond: 10_000 },
    version: '0.0.0',
    isEnding: () => false,
    isReady: async () => true,
    ...options,
  });
  const { limits, isProxy } = options;
  const listening = await listen(
    app.fetch,
    { host: '127.0.0.1', port: options.port ?? 0 },
    { limits, isProxy },
  );
  port = listening.port as number;
  const url = `http://127.0.0.1:${port}`;
  const tokens = Object.fromEntries(all.map(({ token, record }) => [record.name, token]));
  return {
    url,
    port,
    tokens,
    audited,
    logged,
    async api(path, input, token = tokens.all) {
      const response = await fetch(`${url}/api/v1/${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(input),
      });
      return { status: response.status, body: (await response.json()) as Record<string, never> };
    },
    raw: (bytes) => exchange(port as number, bytes),
    connections: listening.connections,
    async close() {
      await listening.close(app.close);
      await memories.close();
      metrics.close();
    },
  };
}

/** The address of a server that lets nobody in, at a port of the test's own: another program may have any other. */
export async function nobody(test: TestContext, scheme = 'http'): Promise<string> {
  const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  test.after(() => server.close());
  return `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function exchange(port: number, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    const end = () => {
      socket.destroy();
      resolve(answer);
    };
    socket.setEncoding('latin1');
    socket.on('data', (part) => {
      answer += part;
    });
    socket.on('close', end);
    socket.on('error', end);
  });
}
