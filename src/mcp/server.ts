import { McpServer, type ServerContext } from '@modelcontextprotocol/server';
import { asPrecedentError, type PrecedentError } from '../domain/error.ts';
import type { Log } from '../domain/log.ts';
import type { MemoryCore } from '../memory/core.ts';
import { forModel } from '../memory/for-model.ts';
import { tools } from '../operations/index.ts';
import type { Operation } from '../operations/operation.ts';
import { instructionsFor } from './instructions.ts';
import { publishedInput } from './published.ts';

export interface ServerOptions {
  /** The tools to offer, in order. */
  operations: readonly Operation[];
  /** Set for a server that lives for one call: the tool that is called. Making the others costs more than the call. */
  called?: string;
  /** Runs an operation; opens the memory when needed, since an unavailable one may come back. */
  call: MemoryCore['call'];
  version: string;
  /** Kept with every record that this connection writes (D-14); also its conversation (M-12). */
  session: string;
  /** The client, where it does not name itself with its call: over HTTP there is no start to remember. */
  client?: string;
  /** Receives what a client must not see of an internal error. */
  log: Log;
}

/** A server with a tool for each operation, for both versions of the protocol. Listing tools needs no store. */
export function createServer({
  operations,
  called,
  call,
  version,
  session,
  client = 'unknown client',
  log,
}: ServerOptions): McpServer {
  const info = { name: 'precedent', title: 'Precedent', version };
  const offered = called === undefined ? operations : operations.filter(({ name }) => name === called);
  const names = (list: readonly Operation[]) => list.map(({ name }) => name);
  // Nobody reads them with the answer to a call.
  const instructions =
    called === undefined ? { instructions: instructionsFor(names(operations), names(tools)) } : {};
  const server = new McpServer(info, { ...instructions, capabilities: { tools: {} } });
  for (const operation of offered) {
    const isRead = operation.access === 'read';
    server.registerTool(
      operation.name,
      {
        description: operation.summary,
        inputSchema: publishedInput(operation),
        // All four: some clients run only tools that have every annotation.
        annotations: {
          readOnlyHint: isRead,
          destructiveHint: operation.destructive ?? false,
          idempotentHint: operation.idempotent,
          openWorldHint: false,
        },
        ...metaOf(operation),
      },
      async (input: unknown, context: ServerContext) => {
        try {
          const writer = { session, client: clientOf(server, context) ?? client };
          const notes: string[] = [];
          const result = await call(operation.name, input, writer, (note) => notes.push(note));
          return answer(forModel(operation.name, result), notes);
        } catch (error) {
          return refusal(asPrecedentError(error, log));
        }
      },
    );
  }
  return server;
}

/** What Claude Code reads: tools that it loads at once, and words by which it finds one of the others. */
function metaOf({ essential, searchHint }: Operation) {
  if (essential) return { _meta: { 'anthropic/alwaysLoad': true } };
  return searchHint === undefined ? {} : { _meta: { 'anthropic/searchHint': searchHint } };
}

/**
 * The result once, as JSON text, which every client shows its model: one that shows the structured part too would take
 * room for it twice, and some turn a success into an error where that differs from a published schema.
 * @param notes what stands beside it, in texts of their own, since its shape is fixed (M-7)
 */
function answer(result: Record<string, unknown>, notes: string[]) {
  return { content: [JSON.stringify(result), ...notes].map((text) => ({ type: 'text' as const, text })) };
}

/** A refusal is a result, so that the model reads it and corrects itself. It names the memory that was asked (K-3). */
function refusal({ code, message, workspace }: PrecedentError) {
  const where = workspace === undefined ? '' : `\nworkspace ${workspace}`;
  return { isError: true, content: [{ type: 'text' as const, text: `${code}: ${message}${where}` }] };
}

/** The client as it names itself: with each request in the newer protocol, at the start in the older one; else undefined. */
function clientOf(server: McpServer, context: ServerContext): string | undefined {
  const envelope = context.mcpReq.envelope as Record<string, unknown> | undefined;
  const named = envelope?.['io.modelcontextprotocol/clientInfo'] ?? server.server.getClientVersion();
  if (named === null || typeof named !== 'object') return undefined;
  const { name, version } = named as { name?: unknown; version?: unknown };
  return [name, version].filter((part) => typeof part === 'string').join(' ') || undefined;
}
