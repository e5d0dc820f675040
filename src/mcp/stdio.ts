import { randomUUID } from 'node:crypto';
import { flushCompileCache } from 'node:module';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { PrecedentError } from '../domain/error.ts';
import type { Log } from '../domain/log.ts';
import { Connection } from '../memory/connection.ts';
import type { Memory } from '../memory/memory.ts';
import { tools } from '../operations/index.ts';
import type { Family, Operation } from '../operations/operation.ts';
import { createServer } from './server.ts';

/** Longest message in bytes: room for the longest observation in any script, escaped. A longer one ends the connection. */
const LARGEST_MESSAGE = 64 * 2 ** 20;

export interface ServeOptions {
  /** Opens the store at the first tool call, and again after it was unavailable. */
  openMemory: () => Promise<Memory>;
  version: string;
  /** The families of tools to offer, a comma between them; all when left out. */
  families: string | undefined;
  log: Log;
}

/** Serves MCP over standard input and output until standard input closes. */
export function serveMcp({ openMemory, version, families, log }: ServeOptions): void {
  const operations = choose(families);
  const connection = new Connection(openMemory);
  const session = randomUUID();
  const handle = serveStdio(
    () => createServer({ operations, call: connection.call, version, session, log }),
    {
      transport: new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize: LARGEST_MESSAGE }),
      onerror: (error) => log(firstLine(error.message), 'warning'),
    },
  );

  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    await connection.finish();
    await handle.close().catch(() => {});
    flushCompileCache();
    process.exit(0);
  };
  process.stdin.once('end', stop);
  process.stdin.once('close', stop);
  process.stdout.once('error', stop);
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

function firstLine(message: string): string {
  return (message.split('\n')[0] ?? '').slice(0, 200);
}

/** The tools of the families that are named. @throws PrecedentError `invalid` for a name that is none */
function choose(families: string | undefined): readonly Operation[] {
  if (families === undefined) return tools;
  const known = [...new Set(tools.map((operation) => operation.family))];
  const wanted = families.split(',').map((family) => family.trim());
  const unknown = wanted.filter((family) => !known.includes(family as Family));
  if (unknown.length > 0) {
    throw new PrecedentError(
      'invalid',
      `Expected --tools to name some of ${known.join(', ')}, found ${unknown.map((family) => JSON.stringify(family)).join(', ')}.`,
    );
  }
  return tools.filter((operation) => wanted.includes(operation.family));
}
