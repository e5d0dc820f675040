import { randomUUID } from 'node:crypto';
import { flushCompileCache } from 'node:module';
import { setImmediate } from 'node:timers/promises';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Log } from '../domain/log.ts';
import { Connection } from '../memory/connection.ts';
import type { Memory } from '../memory/memory.ts';
import { createServer } from './server.ts';
import { toolsOf } from './tools.ts';
import { markingWhatIsNotUtf8 } from './utf8-input.ts';

/** Longest message in bytes: room for the longest observation in any script, escaped. A longer one ends the connection. */
const LARGEST_MESSAGE = 64 * 2 ** 20;

/** How often the input is looked at again before the server ends. */
const ROUNDS = 1_000;

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
  const operations = toolsOf(families);
  const connection = new Connection(openMemory);
  const session = randomUUID();
  // The transport closes when its input ends, and would leave calls unanswered: its input ends when they are answered.
  const input = process.stdin.pipe(markingWhatIsNotUtf8(), { end: false });
  const handle = serveStdio(
    () => createServer({ operations, call: connection.call, version, session, log }),
    {
      transport: new StdioServerTransport(input, process.stdout, { maxBufferSize: LARGEST_MESSAGE }),
      onerror: (error) => log(firstLine(error.message), 'warning'),
    },
  );

  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    // What was received is answered first; when its reader is gone, the input never empties.
    for (
      let round = 0;
      connection.isBusy || (input.readableLength > 0 && round < ROUNDS) || round === 0;
      round++
    ) {
      await turns();
      await connection.settled();
      await turns();
    }
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

/** Lets what was received reach its call, and what was answered reach the output. */
async function turns(): Promise<void> {
  for (let n = 0; n < 10; n++) await setImmediate();
}

function firstLine(message: string): string {
  return (message.split('\n')[0] ?? '').slice(0, 200);
}
