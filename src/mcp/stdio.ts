import { pipeline, type Writable } from 'node:stream';
import { newSession } from '../domain/id.ts';
import type { Log } from '../domain/log.ts';
import { Connection, type ServedMemory } from '../memory/connection.ts';
import { LONGEST, linesOf } from './lines.ts';
import { open } from './opening.ts';
import { toolsOf } from './tools.ts';
import { markingWhatIsNotUtf8 } from './utf8-input.ts';

export interface ServeOptions {
  /** Opens the store at the first tool call, and again after it was unavailable. */
  openMemory: () => Promise<ServedMemory>;
  /** Loads what the first call needs. */
  prepare: () => Promise<unknown>;
  version: string;
  /** The tools to offer, as `--tools` names them; those of every day when left out. */
  tools: string | undefined;
  log: Log;
}

/** Serves MCP over standard input and output until standard input closes. The process is one conversation (M-12). */
export function serveMcp({ openMemory, prepare, version, tools: named, log }: ServeOptions): void {
  const tools = toolsOf(named);
  const connection = new Connection(openMemory);
  const session = newSession();
  const { stdin, stdout: output } = process;
  // A broken input ends what is read of it, too.
  const input = pipeline(stdin, markingWhatIsNotUtf8(), () => {});
  let close = async () => {};

  const serve = async () => {
    const lines = linesOf(input, LONGEST);
    const send = (answer: object) => void output.write(`${JSON.stringify(answer)}\n`);
    const opening = await open(lines, { tools, version, send });
    if (!opening) return;
    const { serveLines } = await import('./serve-lines.ts');
    const { answered } = opening;
    const all = joined(opening.lines, lines);
    const server = serveLines({ lines: all, answered, output, connection, tools, version, session, log });
    close = server.close;
    // A call that needs it and cannot have it says why.
    prepare().catch(() => {});
    await server.ended;
  };
  let finished: Promise<void> | undefined;
  /** Answers what was received, and closes the memory: once, whoever asks. */
  const finish = () => {
    finished ??= (async () => {
      await turns();
      await connection.settled();
      await turns();
      await connection.finish(session);
    })();
    return finished;
  };
  const stop = async () => {
    await finish();
    await close().catch(() => {});
    process.exit(0);
  };
  // A client that asks no more may still read; one that is gone breaks the output.
  serve()
    .catch((error) => log(`The server cannot go on: ${error.message}`, 'error'))
    .then(finish)
    .then(() => drained(output))
    .then(stop);
  output.on('error', stop);
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

async function* joined<Each>(first: readonly Each[], others: AsyncIterable<Each>): AsyncGenerator<Each> {
  yield* first;
  yield* others;
}

/** Settles when every answer was taken by the system, or cannot be. */
function drained(output: Writable): Promise<void> {
  return new Promise((done) => void output.write('', () => done()));
}

/** Lets what was received reach its call, and what was answered reach the output. */
async function turns(): Promise<void> {
  for (let n = 0; n < 10; n++) await new Promise((done) => setImmediate(done));
}
