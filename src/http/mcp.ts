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
import { oneAfterTheOther } from '../memory/in-turn.ts';
import { allows } from './access/grant.ts';
import { jsonOf } from './body.ts';
import { type Caller, type Desk, perform } from './perform.ts';
import { STREAMS, Streams } from './streams.ts';

/** Messages of one request at most, in the older era of the protocol (Z-5). */
const BATCH = 100;

/** What the endpoint is told of a request, beside the request. */
export interface McpCaller extends Pick<Caller, 'grant' | 'response'> {
  workspace: string;
  /** Counts more calls than the one of the request. @returns the answer when the token may not make so many now */
  charge: (calls: number) => Response | undefined;
  /** Whether the token of the request still holds. */
  holds: () => Promise<boolean>;
}

/** What the server of one request is made from. */
interface Asked extends Pick<McpCaller, 'grant' | 'workspace' | 'response'> {
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
  /** How often it is looked whether the tokens of streams still hold, in milliseconds. Default: that of {@link Streams} */
  streamCheck?: number | undefined;
}

/**
 * MCP over Streamable HTTP, for both eras of the protocol and without sessions (H-1): each request is answered by a server
 * of its own, so that any replica answers any request.
 */
export function mcpEndpoint({ desk, tools, version, longest, serverFor, streamCheck }: McpOptions) {
  const { log } = desk;
  const streams = new Streams(streamCheck);
  const serverOf: McpServerFactory = ({ authInfo, requestInfo }) => {
    const { grant, workspace, response, isCall } = (authInfo as AuthInfo).extra as unknown as Asked;
    const inTurn = oneAfterTheOther();
    return createServer({
      tools: tools.filter(({ access }) => allows(grant, access)),
      isForOneCall: isCall,
      call: (name, input, writer, tell = () => {}) => {
        const client = writer?.client ?? '';
        // A batch has one place in the queue, whatever it holds.
        return inTurn(() =>
          perform(desk, { grant, face: 'mcp', client, response }, workspace, name, input, tell),
        );
      },
      version,
      session: '',
      client: requestInfo?.headers.get('user-agent') ?? grant.name,
      log,
    });
  };
  const handler: McpHttpHandler = createMcpHandler(serverFor ? () => serverFor(handler.notify) : serverOf, {
    maxSubscriptions: STREAMS,
    // Its message may hold a piece of what was sent.
    onerror: (error) => log(`A message of MCP could not be answered (${error.name}).`, 'warning'),
  });
  return {
    /** Answers one request of a caller that was let in. */
    async answer(request: Request, caller: McpCaller): Promise<Response> {
      const body = await jsonOf(request, longest);
      if ('fault' in body) return refused(body.fault);
      const refusal = refusedBatch(body.value, caller);
      if (refusal) return refusal;
      const { grant, workspace, response } = caller;
      const { name, expires } = grant;
      const extra = { grant, workspace, response, isCall: isCall(body.value) } satisfies Asked;
      const expiresAt = Math.floor(expires / 1000);
      const authInfo = { token: '', clientId: name, scopes: [], expiresAt, extra: { ...extra } };
      const read = { authInfo, parsedBody: body.value };
      // These tools say nothing before they answer: no stream is needed, which takes two writes for one.
      const isPlain = serverFor === undefined && (await isLegacyRequest(request, body.value));
      if (isPlain) return answerPlainly(request, serverOf, read);
      return methodOf(body.value) === 'subscriptions/listen'
        ? streams.answer(request, caller, (each) => handler.fetch(each, read))
        : handler.fetch(request, read);
    },
    close: () => {
      streams.close();
      return handler.close();
    },
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
  return methodOf(message) === 'tools/call';
}

const methodOf = (message: unknown) => (message as { method?: unknown } | null)?.method;

/** The answer to a request with too many messages, now or ever; undefined for any other. Nothing of it is done then. */
function refusedBatch(messages: unknown, { charge }: McpCaller): Response | undefined {
  if (!Array.isArray(messages) || messages.length < 2) return undefined;
  if (messages.length <= BATCH) return charge(messages.length - 1);
  const message = `Expected at most ${BATCH} messages in one request, found ${messages.length}. None of them was carried out: send them in several requests.`;
  return refused({ status: 400, message, code: ProtocolErrorCode.InvalidRequest });
}

/** As JSON-RPC says that a message could not be read. */
function refused({
  status,
  message,
  code = status === 400 ? ProtocolErrorCode.ParseError : ProtocolErrorCode.InvalidRequest,
}: {
  status: number;
  message: string;
  code?: ProtocolErrorCode;
}): Response {
  return Response.json({ jsonrpc: '2.0', id: null, error: { code, message } }, { status });
}
