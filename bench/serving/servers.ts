import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';

/** Some `precedent serve` over the same memories, as one. */
export interface Servers {
  /** Calls an operation of the memory `bench`. @returns the status */
  call(face: Face, operation: string, input: object, n: number): Promise<number>;
  /** What the processor has done for them so far, in milliseconds: of all threads that still run. */
  processorTime(): number;
  /** Connections that calls share, to each server as many. */
  connect(connections: number): void;
  end(): Promise<void>;
}

/** MCP of 2026-07-28, and as it was before. */
export type Face = 'API' | 'MCP' | 'MCP of 2025';

const VERSION = '2026-07-28';
const META = {
  'io.modelcontextprotocol/protocolVersion': VERSION,
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

const SERVE = ['dist/precedent.cjs', 'serve', '--port', '0'];
/** What answers whatever is asked, and does nothing. */
export const BARE = [join(import.meta.dirname, 'bare.ts')];

/**
 * @param tokens calls take them in turns, so that none is held up by its rate
 * @param script what Node is given to run
 */
export async function startServers(
  count: number,
  env: Record<string, string>,
  tokens: readonly string[],
  script: readonly string[] = SERVE,
): Promise<Servers> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const child = spawn(process.execPath, script, {
        env: { ...process.env, ...env },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const [line] = await once(createInterface({ input: child.stdout }), 'line');
      const [, port = ''] = String(line).match(/:(\d+)$/) ?? [];
      return { child, port: Number(port), agent: new Agent() };
    }),
  );
  return {
    call(face, operation, input, n) {
      const { port, agent } = servers[n % count] as (typeof servers)[number];
      const path = face === 'API' ? `/api/v1/bench/${operation}` : '/mcp/bench';
      const params = { name: operation, arguments: input, ...(face === 'MCP' && { _meta: META }) };
      const message = { jsonrpc: '2.0', id: n, method: 'tools/call', params };
      const body = JSON.stringify(face === 'API' ? input : message);
      const headers = {
        authorization: `Bearer ${tokens[n % tokens.length]}`,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        accept: 'application/json, text/event-stream',
        ...(face === 'MCP' && {
          'mcp-protocol-version': VERSION,
          'mcp-method': 'tools/call',
          'mcp-name': operation,
        }),
      };
      return new Promise((resolve, reject) => {
        request({ host: '127.0.0.1', port, path, method: 'POST', agent, headers }, async (response) => {
          const answer = await text(response);
          if (/"isError":\s*true|"error":\s*\{/.test(answer) && response.statusCode === 200)
            reject(new Error(answer));
          else resolve(response.statusCode ?? 0);
        })
          .on('error', reject)
          .end(body);
      });
    },
    processorTime: () =>
      servers.reduce((sum, { child }) => {
        const threads = readdirSync(`/proc/${child.pid}/task`);
        return sum + threads.reduce((of, thread) => of + ranFor(`/proc/${child.pid}/task/${thread}`), 0);
      }, 0),
    connect(connections) {
      for (const server of servers) {
        server.agent.destroy();
        server.agent = new Agent({ keepAlive: true, maxSockets: Math.max(1, connections / count) });
      }
    },
    async end() {
      for (const { child, agent } of servers) {
        agent.destroy();
        child.kill();
        await once(child, 'exit');
      }
    },
  };
}

/** The scheduler counts in nanoseconds what `stat` beside it rounds to ten milliseconds. */
function ranFor(thread: string): number {
  return Number(readFileSync(`${thread}/schedstat`, 'utf8').split(' ')[0]) / 1_000_000;
}
