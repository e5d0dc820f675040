import type { Writable } from 'node:stream';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Log } from '../domain/log.ts';
import type { Connection } from '../memory/connection.ts';
import type { TooLong } from './lines.ts';
import type { Tool } from './offered.ts';
import { createServer } from './server.ts';
import { LineTransport } from './transport.ts';

/** Calls that may run at once: what each answers is held until its reader takes it. */
const AT_ONCE = 32;

interface LineServer {
  lines: AsyncIterable<Buffer | TooLong>;
  /** A request among these that was answered before. */
  answered: string | number | undefined;
  output: Writable;
  connection: Connection;
  tools: readonly Tool[];
  version: string;
  session: string;
  log: Log;
}

/** Serves MCP over lines. @returns settles `ended` when the lines have ended and all of them were handed on */
export function serveLines({
  lines,
  answered,
  output,
  connection,
  tools,
  version,
  session,
  log,
}: LineServer) {
  const transport = new LineTransport({
    ...{ lines, answered, output, log },
    ready: () => connection.below(AT_ONCE),
  });
  const handle = serveStdio(() => createServer({ tools, call: connection.call, version, session, log }), {
    transport,
    onerror: (error) => log(firstLine(error.message), 'warning'),
  });
  return { ended: transport.ended, close: () => handle.close() };
}

function firstLine(message: string): string {
  return (message.split('\n')[0] ?? '').slice(0, 200);
}
