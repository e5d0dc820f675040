import {
  type AuthInfo,
  createMcpHandler,
  type McpHttpHandler,
  type McpServer,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import type { Tool } from '../mcp/offered.ts';
import { createServer } from '../mcp/server.ts';
import { allows, type Grant } from './access/grant.ts';
import { jsonOf } from './body.ts';
import { type Desk, perform } from './perform.ts';

/** Streams of one server that may wait for news at once: there is none that it sends, and each holds a connection. */
const LISTENERS = 64;

/** What the endpoint is told of a request, beside the request. */
export interface McpCaller {
  grant: Grant;
  workspace: string;
}

/** What the server of one request is made from. */
interface Asked extends McpCaller {
  /** The tool that is called; undefined for whatever else is asked. */
  tool: string | undefined;
}

export interface McpOptions {
  desk: Desk;
  /** The tools to offer to who may write; who may only read is offered those of them that read. */
  tools: readonly Tool[];
  version: string;
  /** The longest message, in bytes. */
  longest: number;
  /** In place of one with the tools. @param notify tells those who listen that something changed */
  serverFor?: ((notify: McpHttpHandler['notify']) => McpServer) | undefined;
}

/**
 * MCP over Streamable HTTP, for both eras of the protocol and without sessions (H-1): each request is answered by a server
 * of its own, so that any replica answers any request.
 */
export function mcpEndpoint({ desk, tools, version, longest, serverFor }: McpOptions) {
  const { log } = desk;
  const handler: McpHttpHandler = createMcpHandler(
    serverFor
      ? () => serverFor(handler.notify)
      : ({ authInfo, requestInfo }) => {
          const { grant, workspace, tool } = (authInfo as AuthInfo).extra as unknown as Asked;
          return createServer({
            tools: tools.filter(({ access }) => allows(grant, access)),
            ...(tool !== undefined && { called: tool }),
            call: (name, input, writer, tell = () => {}) => {
              const client = writer?.client ?? '';
              return perform(desk, { grant, face: 'mcp', client }, workspace, name, input, tell);
            },
            version,
            session: '',
            client: requestInfo?.headers.get('user-agent') ?? grant.name,
            log,
          });
        },
    {
      maxSubscriptions: LISTENERS,
      // Its message may hold a piece of what was sent.
      onerror: (error) => log(`A message of MCP could not be answered (${error.name}).`, 'warning'),
    },
  );
  return {
    /** Answers one request of a caller that was let in. */
    async answer(request: Request, caller: McpCaller): Promise<Response> {
      const body = await jsonOf(request, longest);
      if ('fault' in body) return refused(body.fault);
      const { name, expires } = caller.grant;
      const authInfo = {
        token: '',
        clientId: name,
        scopes: [],
        expiresAt: Math.floor(expires / 1000),
        extra: { ...caller, tool: toolCalledBy(body.value) },
      };
      return handler.fetch(request, { authInfo, parsedBody: body.value });
    },
    close: () => handler.close(),
  };
}

/** The name of the tool that a message calls; undefined for another message. */
function toolCalledBy(message: unknown): string | undefined {
  const { method, params } = (message ?? {}) as { method?: unknown; params?: { name?: unknown } | null };
  const name = method === 'tools/call' ? params?.name : undefined;
  return typeof name === 'string' ? name : undefined;
}

/** As JSON-RPC says that a message could not be read. */
function refused({ status, message }: { status: number; message: string }): Response {
  const code = status === 400 ? ProtocolErrorCode.ParseError : ProtocolErrorCode.InvalidRequest;
  return Response.json({ jsonrpc: '2.0', id: null, error: { code, message } }, { status });
}
