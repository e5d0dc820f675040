import { type Context, Hono } from 'hono';
import { asPrecedentError } from '../domain/error.ts';
import type { Tool } from '../mcp/offered.ts';
import { operations as allOperations } from '../operations/index.ts';
import { type Authenticate, bearerOf } from './access/authenticate.ts';
import { buckets, type Rate } from './access/bucket.ts';
import type { Grant } from './access/grant.ts';
import { type Addresses, turnedAway } from './access/guard.ts';
import { type IsProxy, peerOf } from './access/peer.ts';
import { checkOperation, inputOf, resultOf } from './api.ts';
import { noteToken } from './connections.ts';
import type { Exchange } from './listen.ts';
import { type McpCaller, type McpOptions, mcpEndpoint } from './mcp.ts';
import { openApiOf } from './openapi.ts';
import { type Page, pageResponse } from './page.ts';
import { type Desk, type Face, perform } from './perform.ts';
import { refusal } from './status.ts';

/** The longest body, in bytes. */
const LONGEST = 4 * 1024 * 1024;

export interface AppOptions extends Desk {
  authenticate: Authenticate;
  /** Known once the server listens. */
  addresses: () => Addresses;
  /** The tools that MCP offers. */
  tools: readonly Tool[];
  /** Calls of one token. */
  rate: Rate;
  /** The proxies that are believed whom a request comes from; left out: none. */
  isProxy?: IsProxy;
  version: string;
  /** How often it is looked whether the tokens of streams still hold, in milliseconds. */
  streamCheck?: McpOptions['streamCheck'];
  /** Answers a request of MCP instead of the tools: for those who test the protocol. */
  serverFor?: McpOptions['serverFor'];
  /** Set for a server that takes the tokens of an identity provider: its document for clients (RFC 9728), and where it is. */
  resource?: { document: Record<string, unknown>; url: string };
  /** The page for people, and whether it may write for those whose token does. */
  page?: { files: Page; isWriting: boolean };
  /** Whether it takes no more work: then a balancer is told so. */
  isEnding: () => boolean;
  /** Finds out whether the memories can be reached. */
  isReady: () => Promise<boolean>;
}

type Env = {
  Bindings: Exchange;
  Variables: { grant: Grant; charge: McpCaller['charge']; workspace: string };
};

/** Tokens that do not hold, from one address. */
const FAILURES: Rate = { burst: 30, perSecond: 1 };
/**
 * Those from one connection's own address, whatever it says whom it speaks for: a proxy speaks for many, and any user of
 * the machine can speak as a proxy that is trusted as `loopback` (Z-5).
 */
const FAILURES_OF_PROXY: Rate = { burst: 10 * FAILURES.burst, perSecond: 10 * FAILURES.perSecond };
/** Lines of the audit that say of one caller that it calls too often: whoever does that must not fill a disk. */
const LIMITED: Rate = { burst: 1, perSecond: 1 / 60 };

/** What every answer says to a browser: no guessing, no framing, no keeping, nothing for other sites. */
const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-accel-buffering': 'no',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/** What the page says in its own way. */
const OF_PAGE = new Set(['cache-control', 'content-security-policy']);

/** The whole server as a function from request to response; gates first, in their order, then its routes (H-1, H-3). */
export function createApp(options: AppOptions) {
  const { authenticate, audit, metrics, memories, log, now, version, resource } = options;
  const mcp = mcpEndpoint({
    desk: options,
    tools: options.tools,
    version,
    longest: LONGEST,
    serverFor: options.serverFor,
    streamCheck: options.streamCheck,
  });
  const takeFailure = buckets(FAILURES, now);
  const takeFailureOfProxy = buckets(FAILURES_OF_PROXY, now);
  const takeLimited = buckets(LIMITED, now);
  const take = buckets(options.rate, now);
  const app = new Hono<Env>();

  app.use(async (c, next) => {
    const turned = turnedAway(c.req.raw.headers, c.env.incoming, options.addresses());
    if (turned) c.res = refusal({ code: 'unauthorized', message: turned.message }, turned.status);
    else await next();
    for (const [name, value] of Object.entries(HEADERS))
      if (!(OF_PAGE.has(name) && c.res.headers.has(name))) c.res.headers.set(name, value);
    if (options.isEnding()) c.res.headers.set('connection', 'close');
  });

  for (const [path, file] of options.page?.files ?? []) app.get(path, () => pageResponse(file));
  app.get('/healthz', (c) => c.text('alive\n'));
  app.get('/readyz', async (c) => {
    const ready = !options.isEnding() && (await options.isReady());
    return ready ? c.text('ready\n') : c.text('not ready\n', 503, { 'retry-after': '1' });
  });
  const document = JSON.stringify(openApiOf(allOperations, version));
  app.get('/api/v1/openapi.json', (c) => c.body(document, 200, { 'content-type': 'application/json' }));
  if (resource) {
    app.get('/.well-known/oauth-protected-resource', (c) => c.json(resource.document));
    app.get('/.well-known/oauth-protected-resource/mcp/:workspace?', (c) => c.json(resource.document));
  }

  const unauthorized = (message: string, error?: string) => {
    const parts = [
      ...(error ? [`error="${error}"`] : []),
      ...(resource ? [`resource_metadata="${resource.url}"`] : []),
    ];
    const challenge = ['Bearer', parts.join(', ')].filter(Boolean).join(' ');
    return refusal({ code: 'unauthorized', message }, 401, { 'www-authenticate': challenge });
  };
  const tooMany = (wait: number, who: { token?: string; peer: string; via?: string }) => {
    if (takeLimited(who.token ?? `${who.via ?? who.peer} without`) === 0)
      audit({ at: now(), ...who, face: 'http', code: 'too_many' });
    const message = `Too many calls. Try again in ${wait} s.`;
    return refusal({ code: 'unavailable', message }, 429, { 'retry-after': String(wait) });
  };
  const letIn = async (c: Context<Env>, next: () => Promise<void>) => {
    const { socket } = c.env.incoming;
    const forwarded = c.req.raw.headers.get('x-forwarded-for');
    const peer = peerOf(socket.remoteAddress, forwarded, options.isProxy);
    const own = peerOf(socket.remoteAddress, null);
    // What a proxy says is kept with who said it.
    const from = { peer, ...(own !== peer && { via: own }) };
    const token = bearerOf(c.req.raw.headers);
    const grant = await authenticate(token);
    if (!grant) {
      // Who has no token at all is told so however often it asks, and fills no disk with it.
      const kind = token === undefined ? ' without' : '';
      const wait = Math.max(takeFailure(peer + kind), own === peer ? 0 : takeFailureOfProxy(own + kind));
      if (wait > 0 && token !== undefined) return tooMany(wait, from);
      if (wait === 0) audit({ at: now(), face: 'http', code: 'unauthorized', ...from });
      return token === undefined
        ? unauthorized('Expected the header "Authorization: Bearer …" with a token.')
        : unauthorized('Expected a token that holds; this one is unknown or has expired.', 'invalid_token');
    }
    noteToken(socket, grant.name);
    const caller = { token: grant.name, ...from };
    const wait = take(grant.name);
    if (wait > 0) return tooMany(wait, caller);
    c.set('grant', grant);
    c.set('charge', (calls) => {
      const longer = take(grant.name, calls);
      return longer > 0 ? tooMany(longer, caller) : undefined;
    });
    return next();
  };
  app.use('/api/v1/*', letIn);
  app.use('/mcp', letIn);
  app.use('/mcp/*', letIn);
  app.use('/metrics', letIn);

  app.get('/metrics', (c) => c.text(metrics.text(), 200, { 'content-type': 'text/plain; version=0.0.4' }));
  app.get('/api/v1/me', async (c) => {
    const { name, author, access, expires } = c.var.grant;
    const workspaces = await memories.listFor(c.var.grant);
    // What the page may do for this token: a server lets it write only when it was started so.
    const pageWrites = access === 'write' && options.page?.isWriting === true;
    const until = new Date(expires).toISOString();
    const main = memories.mainFor(c.var.grant);
    return c.json({ name, author, access, workspaces, main, expires: until, pageWrites });
  });
  const workspaceOf = (grant: Grant, face: Face, named: string | undefined) => {
    try {
      return memories.workspaceFor(grant, named);
    } catch (error) {
      audit({ at: now(), token: grant.name, face, code: 'not_found' });
      throw error;
    }
  };
  const callOperation = async (c: Context<Env>, operation: string, named: string | undefined) => {
    const { grant } = c.var;
    checkOperation(operation);
    const workspace = workspaceOf(grant, 'api', named);
    const body = await inputOf(c.req.raw, LONGEST);
    if ('turned' in body) return body.turned;
    const notes: string[] = [];
    const client = c.req.header('user-agent') ?? grant.name;
    const caller = { grant, face: 'api', client, response: c.env.outgoing } as const;
    return resultOf(
      await perform(options, caller, workspace, operation, body.input, (note) => notes.push(note)),
      notes,
    );
  };
  app.post('/api/v1/:operation', (c) => callOperation(c, c.req.param('operation'), undefined));
  app.post('/api/v1/:workspace/:operation', (c) =>
    callOperation(c, c.req.param('operation'), c.req.param('workspace')),
  );
  app.post('/mcp/:workspace?', (c) => {
    const { grant, charge } = c.var;
    const token = bearerOf(c.req.raw.headers);
    return mcp.answer(c.req.raw, {
      grant,
      workspace: workspaceOf(grant, 'mcp', c.req.param('workspace')),
      charge,
      response: c.env.outgoing,
      // One that cannot be looked up now is no other than it was.
      holds: () =>
        authenticate(token).then(
          (found) => found?.name === grant.name,
          () => true,
        ),
    });
  });
  app.all('/mcp/:workspace?', () =>
    refusal({ code: 'invalid', message: 'Expected POST.' }, 405, { allow: 'POST' }),
  );
  app.notFound(() => refusal({ code: 'not_found', message: 'There is nothing at this address.' }));
  app.onError((thrown) => {
    const error = asPrecedentError(thrown, log);
    // A client of an identity provider asks its person for more.
    const more = 'Bearer error="insufficient_scope", scope="memory:write"';
    const isTooLittle = error.code === 'unauthorized' && resource !== undefined;
    return refusal(error, undefined, isTooLittle ? { 'www-authenticate': more } : {});
  });

  return {
    fetch: app.fetch,
    /** Ends what streams. */
    close: () => mcp.close(),
  };
}
