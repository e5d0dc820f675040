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
import { createServer } from '../mcp/server.ts';
import { Shown } from '../mcp/shown.ts';
import { oneAfterTheOther } from '../memory/in-turn.ts';
import { findOperation } from '../operations/index.ts';
import type { Tool } from '../operations/offered.ts';
import type { Operation } from '../operations/operation.ts';
import { allows } from './access/grant.ts';
import { jsonOf, TOO_LONG } from './body.ts';
import { type Caller, perform, type ServerContext } from './perform.ts';

const { InvalidRequest, ParseError } = ProtocolErrorCode;
/** Messages of one request at most, in the older era of the protocol (Z-5). */
const BATCH = 100;

/** The caller of a request. */
export interface McpCaller extends Pick<Caller, 'grant' | 'response'> {
  workspace: string;
  /** Counts more calls than the one of the request. @returns the answer when the token may not make so many now */
  charge: (calls: number) => Response | undefined;
}

/** The data of one request, from which its server is made. */
interface Asked extends Pick<McpCaller, 'grant' | 'workspace' | 'response'> {
  /** Whether the request is a single tool call. */
  isCall: boolean;
}

export interface McpOptions extends ServerContext {
  /** The tools that MCP offers. A token that may only read is offered only those that read. */
  tools: readonly Tool[];
  version: string;
  /** Makes another server instead, in tests of the protocol. @param notify sends a notification to open streams */
  serverFor?: (notify: McpHttpHandler['notify']) => McpServer;
}

/**
 * MCP over Streamable HTTP, for both eras of the protocol and without sessions (H-1): each request has a server of its own,
 * so that any replica can answer any request.
 */
export function mcpEndpoint(options: McpOptions) {
  const { tools, version, serverFor, log } = options;
  const shown = new Shown();
  const serverOf: McpServerFactory = ({ authInfo, requestInfo }) => {
    const { grant, workspace, response, isCall } = (authInfo as AuthInfo).extra as unknown as Asked;
    const inTurn = oneAfterTheOther();
    return createServer({
      tools: tools.filter(({ access }) => allows(grant, access)),
      isForOneCall: isCall,
      call: (name, input, writer, tell = () => {}) => {
        const caller = { grant, face: 'mcp', client: writer?.client ?? '', response } as const;
        // Each tool is an operation, and other names are refused before.
        const operation = findOperation(name) as Operation;
        // A batch takes one place in the queue, whatever its size.
        return inTurn(() => perform(options, caller, workspace, operation, input, tell));
      },
      version,
      session: '',
      shown,
      rememberedAs: `${grant.name}:${workspace}`,
      client: requestInfo?.headers.get('user-agent') || grant.name,
      log,
    });
  };
  const handler: McpHttpHandler = createMcpHandler(serverFor ? () => serverFor(handler.notify) : serverOf, {
    // The tools never change while a server runs: a stream that waits for news would hold a connection for nothing (Z-5).
    ...(!serverFor && { maxSubscriptions: 0 }),
    // The message of the error may contain a part of the request.
    onerror: (error) => log(`A message of MCP could not be answered (${error.name}).`, 'warning'),
  });
  return {
    /** Answers one request of an authenticated caller. */
    async answer(request: Request, caller: McpCaller): Promise<Response> {
      const body = await jsonOf(request);
      if ('fault' in body) {
        const { status, message } = body.fault;
        return refused(status, message, status === 400 ? ParseError : InvalidRequest);
      }
      const errorResponse = refusedBatch(body.value, caller);
      if (errorResponse) return errorResponse;
      const { grant, workspace, response } = caller;
      const { name, expires } = grant;
      const extra = { grant, workspace, response, isCall: isCall(body.value) } satisfies Asked;
      const expiresAt = Math.floor(expires / 1000);
      const authInfo = { token: '', clientId: name, scopes: [], expiresAt, extra: { ...extra } };
      const read = { authInfo, parsedBody: body.value };
      // These tools send nothing before their answer, so no stream is needed, which would take two writes.
      const isPlain = serverFor === undefined && (await isLegacyRequest(request, body.value));
      return isPlain ? answerPlainly(request, serverOf, read) : handler.fetch(request, read);
    },
    tooLong: () => refused(413, TOO_LONG, InvalidRequest),
    close: () => handler.close(),
  };
}

/**
 * Answers a request of the older era with JSON. Without sessions the library would stream every answer. The server of the
 * request is closed with the answer, or when the client is gone.
 */
async function answerPlainly(
  request: Request,
  serverOf: McpServerFactory,
  read: { authInfo: AuthInfo; parsedBody: unknown },
): Promise<Response> {
  const server = await serverOf({ era: 'legacy', authInfo: read.authInfo, requestInfo: request });
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  const close = () => void server.close().catch(() => {});
  request.signal.addEventListener('abort', close, { once: true });
  await server.connect(transport);
  const response = await transport.handleRequest(request, read);
  close();
  return response;
}

/** Whether a message is a tool call. */
const isCall = (message: unknown) => (message as { method?: unknown } | null)?.method === 'tools/call';

/** The error for a batch with too many messages; undefined otherwise. Nothing of the batch is carried out then. */
function refusedBatch(messages: unknown, { charge }: McpCaller): Response | undefined {
  if (!Array.isArray(messages) || messages.length < 2) return undefined;
  if (messages.length <= BATCH) return charge(messages.length - 1);
  const message = `Expected at most ${BATCH} messages in one request, found ${messages.length}. None of them was carried out: send them in several requests.`;
  return refused(400, message, InvalidRequest);
}

/** A JSON-RPC error for a request that is not carried out. */
function refused(status: number, message: string, code: ProtocolErrorCode): Response {
  return Response.json({ jsonrpc: '2.0', id: null, error: { code, message } }, { status });
}
