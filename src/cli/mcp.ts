import { randomUUID } from 'node:crypto';
import { flushCompileCache } from 'node:module';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { PrecedentError } from '../domain/error.ts';
import { createServer } from '../mcp/server.ts';
import type { Memory } from '../memory.ts';
import { operations } from '../operations/index.ts';
import type { Family, Operation } from '../operations/operation.ts';

/**
 * Serves MCP over standard input and output until standard input closes.
 * @param openMemory opens the store; called at the first tool call, and again after it failed
 */
export function serveMcp(
  openMemory: () => Promise<Memory>,
  version: string,
  families: string | undefined,
): void {
  const offered = choose(families);
  let opened: Promise<Memory> | undefined;
  const pending = new Set<Promise<unknown>>();
  const open = () => {
    opened ??= openMemory().catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened.then((memory) => ({ ...memory, call: tracked(memory, pending) }));
  };
  const session = randomUUID();
  const handle = serveStdio(() => createServer({ operations: offered, open, version, session }), {
    onerror: (error) => process.stderr.write(`precedent: ${error.message}\n`),
  });

  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    // What was begun is finished: a write that the client has asked for is not lost because it hung up.
    await Promise.allSettled([...pending]);
    await handle.close().catch(() => {});
    await opened?.then((memory) => memory.close()).catch(() => {});
    flushCompileCache();
    process.exit(0);
  };
  process.stdin.once('end', stop);
  process.stdin.once('close', stop);
  process.stdout.once('error', stop);
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

function tracked(memory: Memory, pending: Set<Promise<unknown>>): Memory['call'] {
  return (...args) => {
    const running = memory.call(...args);
    pending.add(running);
    const done = () => pending.delete(running);
    running.then(done, done);
    return running;
  };
}

/** The operations of the families named, a comma between them; all without any. */
function choose(families: string | undefined): readonly Operation[] {
  const all = operations as unknown as readonly Operation[];
  if (families === undefined) return all;
  const known = [...new Set(all.map((operation) => operation.family))];
  const wanted = families.split(',').map((family) => family.trim());
  const unknown = wanted.filter((family) => !known.includes(family as Family));
  if (unknown.length > 0) {
    throw new PrecedentError(
      'invalid',
      `Expected --tools to name some of ${known.join(', ')}, found ${unknown.join(', ')}.`,
    );
  }
  return all.filter((operation) => wanted.includes(operation.family));
}
