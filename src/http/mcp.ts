import {
  type AuthInfo,
  createMcpHandler,
  isLegacyRequest,
  type McpHttpHandler,
  type McpServer,
  type McpServerFactory,
  ProtocolErrorCode,
  WebStandardStreamableHTTPServerTransport,
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
  /** Whether a tool is called, and nothing else is asked. */
  isCall: boolean;
}

/** A request as far as it was read. */
interface Read {
  authInfo: AuthInfo;
  parsedBody: unknown;
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
  const serverOf: McpServerFactory = ({ authInfo, requestInfo }) => {
    const { grant, workspace, isCall } = (authInfo as AuthInfo).extra as unknown as Asked;
    return createServer({
      tools: tools.filter(({ access }) => allows(grant, access)),
      isForOneCall: isCall,
      call: (name, input, writer, tell = () => {}) => {
        const client = writer?.client ?? '';
        return perform(desk, { grant, face: 'mcp', client }, workspace, name, input, tell);
      },
      version,
      session: '',
      client: requestInfo?.headers.get('user-agent') ?? grant.name,
      log,
    });
  };
  const handler: McpHttpHandler = createMcpHandler(serverFor ? () => serverFor(handler.notify) : serverOf, {
    maxSubscriptions: LISTENERS,
    // Its message may hold a piece of what was sent.
    onerror: (error) => log(`A message of MCP could not be answered (${error.name}).`, 'warning'),
  });
  return {
    /** Answers one request of a caller that was let in. */
    async answer(request: Request, caller: McpCaller): Promise<Response> {
      const body = await jsonOf(request, longest);
      if ('fault' in body) return refused(body.fault);
      const { name, expires } = caller.grant;
      const extra = { ...caller, isCall: isCall(body.value) } satisfies Asked;
      const expiresAt = Math.floor(expires / 1000);
      const authInfo = { token: '', clientId: name, scopes: [], expiresAt, extra: { ...extra } };
      const read = { authInfo, parsedBody: body.value };
      // These tools say nothing before they answer: no stream is needed, which takes two writes for one.
      const isPlain = serverFor === undefined && (await isLegacyRequest(request, body.value));
      return isPlain ? answerPlainly(request, serverOf, read) : handler.fetch(request, read);
    },
    close: () => handler.close(),
  };
}

/**
 * Answers a request of the older era with JSON: the library's own way of doing that without sessions streams whatever it
 * answers. Its server ends with the answer, or when the client is gone.
 */
async function answerPlainly(request: Request, serverOf: McpServerFactory, read: Read): Promise<Response> {
  const server = await serverOf({ era: 'legacy', authInfo: read.authInfo, requestInfo: request });
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  const close = () => void server.close().catch(() => {});
  request.signal.addEventListener('abort', close, { once: true });
  await server.connect(transport);
  const response = await transport.handleRequest(request, read);
  close();
  return response;
}

/** Whether a message calls a tool. */
function isCall(message: unknown): boolean {
  return (message as { method?: unknown } | null)?.method === 'tools/call';
}

/** As JSON-RPC says that a message could not be read. */
function refused({ status, message }: { status: number; message: string }): Response {
  const code = status === 400 ? ProtocolErrorCode.ParseError : ProtocolErrorCode.InvalidRequest;
  return Response.json({ jsonrpc: '2.0', id: null, error: { code, message } }, { status });
}
