import { McpServer, type ServerContext, type StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import type * as z from 'zod';
import { asPrecedentError, type PrecedentError } from '../domain/error.ts';
import type { Log } from '../domain/log.ts';
import type { Memory } from '../memory/memory.ts';
import { tools } from '../operations/index.ts';
import { type JsonSchema, jsonSchemaOf } from '../operations/json-schema.ts';
import type { Operation } from '../operations/operation.ts';
import { instructionsFor } from './instructions.ts';

export interface ServerOptions {
  /** The tools to offer, in order. */
  operations: readonly Operation[];
  /** Runs an operation; opens the memory when needed, since an unavailable one may come back. */
  call: Memory['call'];
  version: string;
  /** Kept with every record that this connection writes (D-14); also its conversation (M-12). */
  session: string;
  /** Receives what a client must not see of an internal error. */
  log: Log;
}

/** A server with a tool for each operation, for both versions of the protocol. Listing tools needs no store. */
export function createServer({ operations, call, version, session, log }: ServerOptions): McpServer {
  const info = { name: 'precedent', title: 'Precedent', version };
  const names = (list: readonly Operation[]) => list.map(({ name }) => name);
  const instructions = instructionsFor(names(operations), names(tools));
  const server = new McpServer(info, { instructions, capabilities: { tools: {} } });
  for (const operation of operations) {
    const isRead = operation.access === 'read';
    server.registerTool(
      operation.name,
      {
        title: operation.title,
        description: operation.summary,
        inputSchema: published(operation, 'input'),
        outputSchema: published(operation, 'output'),
        // All four: some clients run only tools that have every annotation.
        annotations: {
          readOnlyHint: isRead,
          destructiveHint: operation.destructive ?? false,
          idempotentHint: operation.idempotent,
          openWorldHint: false,
        },
        ...(operation.essential && { _meta: { 'anthropic/alwaysLoad': true } }),
      },
      async (input: unknown, context: ServerContext) => {
        try {
          const writer = { session, client: clientOf(server, context) };
          const notes: string[] = [];
          return answer(await call(operation.name, input, writer, (note) => notes.push(note)), notes);
        } catch (error) {
          return refusal(asPrecedentError(error, log));
        }
      },
    );
  }
  return server;
}

/**
 * Some clients show their model only the structured part, others only the text: both hold the whole result.
 * @param notes what stands beside it, in texts of their own, since its shape is fixed (M-7)
 */
function answer(result: Record<string, unknown>, notes: string[]) {
  return {
    structuredContent: result,
    content: [JSON.stringify(result), ...notes].map((text) => ({ type: 'text' as const, text })),
  };
}

/** A refusal is a result, so that the model reads it and corrects itself. It names the memory that was asked (K-3). */
function refusal({ code, message, workspace }: PrecedentError) {
  const where = workspace === undefined ? '' : `\nworkspace ${workspace}`;
  return { isError: true, content: [{ type: 'text' as const, text: `${code}: ${message}${where}` }] };
}

/**
 * A schema as tools/list publishes it. It accepts every input: the operation checks its input itself, so that every
 * face refuses with the same words.
 */
function published(operation: Operation, io: 'input' | 'output'): StandardSchemaWithJSON<unknown> {
  let json: JsonSchema | undefined;
  const convert = () => {
    json ??= jsonSchemaOf(operation, io, { override: ({ jsonSchema }) => slim(jsonSchema, io) });
    return json as Record<string, unknown>;
  };
  return {
    '~standard': {
      version: 1,
      vendor: 'precedent',
      validate: (value: unknown) => ({ value }),
      jsonSchema: { input: convert, output: convert },
    },
  };
}

/** Removes parts that tell a model nothing: every schema takes room in its context. */
function slim(schema: z.core.JSONSchema.BaseSchema, io: 'input' | 'output'): void {
  delete schema.$schema;
  if (io === 'output') delete schema.additionalProperties;
  // Where it is not always there, it explains itself (K-3).
  if (io === 'output' && !schema.required?.includes('workspace')) delete schema.properties?.workspace;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}

/** The client as it names itself: with each request in the newer protocol, at the start in the older one. */
function clientOf(server: McpServer, context: ServerContext): string {
  const envelope = context.mcpReq.envelope as Record<string, unknown> | undefined;
  const named = envelope?.['io.modelcontextprotocol/clientInfo'] ?? server.server.getClientVersion();
  if (named === null || typeof named !== 'object') return 'unknown client';
  const { name, version } = named as { name?: unknown; version?: unknown };
  return [name, version].filter((part) => typeof part === 'string').join(' ') || 'unknown client';
}
