import type { Readable, Writable } from 'node:stream';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { newId } from '../domain/id.ts';
import type { Log } from '../domain/log.ts';
import { LONGEST, linesOf } from '../domain/text/lines.ts';
import { Connection, type ServedMemory } from '../memory/connection.ts';
import { toolsOf } from '../operations/tools.ts';
import { createServer } from './server.ts';
import { Shown } from './shown.ts';
import { LineTransport } from './transport.ts';

/** Calls that may run at once: each answer stays in memory until the client reads it. */
const AT_ONCE = 32;

export interface ServeOptions {
  /** Opens the store at the first tool call, and again after it was unavailable. */
  openMemory: () => Promise<ServedMemory>;
  version: string;
  /** The tools to offer, as `--tools` names them. Default: those for every day. */
  tools: string | undefined;
  log: Log;
  input: Readable;
  output: Writable;
  /** Called when all that was received is answered, and the memory closed. */
  ended: () => void;
}

/**
 * Serves MCP over standard input and output until standard input closes. Its client is one conversation (M-12).
 * @returns a function that ends it earlier
 */
export function serveMcp({
  openMemory,
  version,
  tools: named,
  log,
  input,
  output,
  ended,
}: ServeOptions): () => Promise<void> {
  const tools = toolsOf(named);
  const connection = new Connection(openMemory);
  const session = newId();
  const shown = new Shown();
  const transport = new LineTransport({
    lines: linesOf(input, LONGEST),
    output,
    ready: () => connection.below(AT_ONCE),
    log,
  });
  const server = serveStdio(
    () => createServer({ tools, call: connection.call, version, session, shown, log }),
    {
      transport,
      onerror: (error) => log((error.message.split('\n')[0] ?? '').slice(0, 200), 'warning'),
    },
  );
  let finished: Promise<void> | undefined;
  /** Answers what was received, and closes the memory: once, however often it is called. */
  const finish = () => {
    finished ??= (async () => {
      await turns();
      await connection.settled();
      await turns();
      await connection.finish();
    })();
    return finished;
  };
  const stop = async () => {
    await finish();
    await server.close().catch(() => {});
    ended();
  };
  // A client that has closed its end may still read. If it is gone, the output has an error.
  transport.ended
    .then(finish)
    .then(() => drained(output))
    .then(stop);
  output.on('error', stop);
  return stop;
}

/** Settles when the system has taken every answer, or cannot take it. */
function drained(output: Writable): Promise<void> {
  return new Promise((done) => void output.write('', () => done()));
}

/** Waits until received lines have reached their calls, and answers the output. */
async function turns(): Promise<void> {
  for (let n = 0; n < 10; n++) await new Promise((done) => setImmediate(done));
}
