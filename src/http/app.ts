import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { secureHeaders } from 'hono/secure-headers';
import {
  asPrecedentError,
  invalid,
  notFound,
  type PrecedentError,
  unauthorized,
  unavailable,
} from '../domain/error.ts';
import { operations as allOperations, findOperation } from '../operations/index.ts';
import { type Authenticate, bearerOf } from './access/authenticate.ts';
import { buckets, type Rate } from './access/bucket.ts';
import { allows, covers, type Grant } from './access/grant.ts';
import { type Addresses, rejectHost } from './access/guard.ts';
import { FORGOTTEN, LOGIN, type Login } from './access/login.ts';
import { type IsProxy, peerOf } from './access/peer.ts';
import { jsonOf, LONGEST, TOO_LONG } from './body.ts';
import { rememberToken } from './connections.ts';
import type { Exchange } from './listen.ts';
import { type McpCaller, type McpOptions, mcpEndpoint } from './mcp.ts';
import { openApiOf } from './openapi.ts';
import { type Page, pageResponse, withLogin } from './page.ts';
import { type Face, perform } from './perform.ts';
import { errorResponse } from './status.ts';
import { syncWith } from './sync.ts';
import { isGone } from './unread.ts';

/** The header with notes for the caller that are not part of the result (M-7). */
const NOTE = 'precedent-note';
/** The header by which a server recognizes calls from its page (V-1). */
const OF_THE_PAGE = 'precedent-page';

export interface AppOptions extends McpOptions {
  authenticate: Authenticate;
  /** Available once the server listens. */
  addresses: () => Addresses;
  /** Calls of one token. */
  rate: Rate;
  /** Trusted proxies, whose X-Forwarded-For is used. Default: none. */
  isProxy?: IsProxy;
  /** Set if the server accepts tokens of an identity provider: the metadata for clients (RFC 9728), and its address. */
  resource?: { document: Record<string, unknown>; url: string };
  /** Set if people can log in to the page at an identity provider. */
  login?: Login;
  /** The page for people, and whether it may write if the token may. */
  page?: { files: Page; isWriting: boolean };
  /** Whether the server is shutting down. Load balancers see it in /readyz. */
  isEnding: () => boolean;
  /** Whether the memories can be reached. */
  isReady: () => Promise<boolean>;
}

type Env = {
  Bindings: Exchange;
  Variables: { grant: Grant; charge: McpCaller['charge']; workspace: string };
};

/** Probes of Kubernetes and balancers. */
const PROBES = ['/healthz', '/readyz'];
/** Failed authentications from one address. */
const FAILURES: Rate = { burst: 30, perSecond: 1 };
/**
 * Failed authentications from the address of the connection, whatever X-Forwarded-For says: a proxy serves many clients, and
 * any user of the machine can pose as a proxy that is trusted as `loopback` (Z-5).
 */
const FAILURES_OF_PROXY: Rate = { burst: 10 * FAILURES.burst, perSecond: 10 * FAILURES.perSecond };
/** Audit lines about a caller who exceeds the rate: limited, so that they cannot fill the disk. */
const LIMITED: Rate = { burst: 1, perSecond: 1 / 60 };

/** Default headers of every response: nobody may cache it. */
const HEADERS = { 'cache-control': 'no-store', 'x-accel-buffering': 'no' };

/** The server as a function from request to response: first the checks in their order, then the routes (H-1, H-3). */
export function createApp(options: AppOptions) {
  const { authenticate, audit, metrics, memories, log, now, version, resource } = options;
  const mcp = mcpEndpoint(options);
  const failedAuthLimiter = buckets(FAILURES, now);
  const failedAuthLimiterOfProxy = buckets(FAILURES_OF_PROXY, now);
  const auditLimiter = buckets(LIMITED, now);
  const take = buckets(options.rate, now);
  const app = new Hono<Env>();

  app.use(
    secureHeaders({
      contentSecurityPolicy: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
      xFrameOptions: 'DENY',
      // The proxy that serves HTTPS decides on this header for its host names.
      strictTransportSecurity: false,
      // The page has a policy of its own.
      overwrite: false,
    }),
  );
  app.use(async (c, next) => {
    // Probes use the server's address as the host name, and are allowed because they read no data (OP-4).
    const isProbe = c.req.method === 'GET' && PROBES.includes(c.req.path);
    const rejected = isProbe ? undefined : rejectHost(c.req.raw.headers, c.env.incoming, options.addresses());
    if (rejected) c.res = errorResponse(unauthorized.not_allowed(rejected.message), rejected.status);
    else await next();
    for (const [name, value] of Object.entries(HEADERS))
      if (!c.res.headers.has(name)) c.res.headers.set(name, value);
    if (options.isEnding()) c.res.headers.set('connection', 'close');
  });

  /** The address of a client, as a proxy reported it, and that of the proxy. */
  const originOf = (c: Context<Env>) => {
    const { remoteAddress } = c.env.incoming.socket;
    const peer = peerOf(remoteAddress, c.req.raw.headers.get('x-forwarded-for'), options.isProxy);
    const own = peerOf(remoteAddress, null);
    return { peer, ...(own !== peer && { via: own }) };
  };
  /** Counts a failure. @returns the seconds to wait, 0 for none */
  const limited = ({ peer, via }: { peer: string; via?: string }, kind: string) =>
    Math.max(failedAuthLimiter(peer + kind), via === undefined ? 0 : failedAuthLimiterOfProxy(via + kind));

  const { login } = options;
  for (const [path, file] of options.page?.files ?? []) {
    const shown = login && path === '/' ? withLogin(file) : file;
    app.get(path, () => pageResponse(shown));
  }
  if (login) {
    app.get(LOGIN, async () => {
      const { to, cookie } = await login.begin();
      return new Response(null, { status: 302, headers: { location: to, 'set-cookie': cookie } });
    });
    app.get(`${LOGIN}/done`, async (c) => {
      const from = originOf(c);
      const [answer, cookies] = [new URL(c.req.url), c.req.header('cookie')];
      const wait = login.isBegun(answer, cookies) ? limited(from, ' login') : 0;
      if (wait > 0) return tooMany(wait, from);
      c.header('set-cookie', FORGOTTEN);
      try {
        // The page takes the token as that of a link, and keeps it in its tab.
        return c.redirect(`/#token=${await login.end(answer, cookies)}`);
      } catch (thrown) {
        const { code, message } = asPrecedentError(thrown, log);
        audit({ at: now(), face: 'http', code, why: message, ...from });
        return c.text(`${message}\n\nBegin again: ${LOGIN}\n`, code === 'unauthorized' ? 403 : 503);
      }
    });
  }
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

  const challenged = (message: string, error?: string) => {
    const parts = [
      ...(error ? [`error="${error}"`] : []),
      ...(resource ? [`resource_metadata="${resource.url}"`] : []),
    ];
    const challenge = ['Bearer', parts.join(', ')].filter(Boolean).join(' ');
    return errorResponse(unauthorized.not_allowed(message), 401, { 'www-authenticate': challenge });
  };
  const tooMany = (wait: number, who: { token?: string; peer: string; via?: string }) => {
    if (auditLimiter(who.token ?? `${who.via ?? who.peer} without`) === 0)
      audit({ at: now(), ...who, face: 'http', code: 'too_many' });
    const message = `Too many calls. Try again in ${wait} s.`;
    return errorResponse(unavailable.busy(message), 429, { 'retry-after': String(wait) });
  };
  const authenticateRequest = async (c: Context<Env>, next: () => Promise<void>) => {
    const from = originOf(c);
    const token = bearerOf(c.req.raw.headers);
    let why: string | undefined;
    const grant = await authenticate(token, (reason) => {
      why = reason;
    });
    if (!grant) {
      // A client without any token always gets 401. Only its audit lines are limited.
      const kind = token === undefined ? ' without' : '';
      const wait = limited(from, kind);
      if (wait > 0 && token !== undefined) return tooMany(wait, from);
      if (wait === 0) audit({ at: now(), face: 'http', code: 'unauthorized', ...(why && { why }), ...from });
      return token === undefined
        ? challenged('Expected the header "Authorization: Bearer …" with a token.')
        : challenged('Expected a valid token; this one is unknown or has expired.', 'invalid_token');
    }
    rememberToken(c.env.incoming.socket, grant.name);
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
  const tooLong = () => errorResponse(invalid.too_large(TOO_LONG), 413);
  app.use('/api/v1/*', authenticateRequest, bodyLimit({ maxSize: LONGEST, onError: tooLong }));
  app.use('/mcp/*', authenticateRequest, bodyLimit({ maxSize: LONGEST, onError: mcp.tooLong }));
  app.use('/metrics', authenticateRequest);

  app.get('/metrics', (c) =>
    c.text(
      metrics.text((workspace) => covers(c.var.grant, workspace)),
      200,
      { 'content-type': 'text/plain; version=0.0.4' },
    ),
  );
  app.get('/api/v1/me', async (c) => {
    const { name, author, person, access, expires } = c.var.grant;
    const workspaces = await memories.listFor(c.var.grant);
    // The page is for people, and may write only if the server was started with --write (X-3, Z-14).
    const pageWrites = person && allows(c.var.grant, 'write') && options.page?.isWriting === true;
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
  const callOperation = async (c: Context<Env>, name: string, named: string | undefined) => {
    const { grant } = c.var;
    const operation = findOperation(name);
    if (!operation)
      throw notFound.no_operation('Expected the name of an operation, as in /api/v1/openapi.json.');
    const workspace = workspaceOf(grant, 'api', named);
    const body = await inputOf(c.req.raw);
    if ('rejected' in body) return body.rejected;
    const notes: string[] = [];
    const caller = {
      grant,
      face: 'api',
      client: c.req.header('user-agent') || grant.name,
      isPage: c.req.header(OF_THE_PAGE) !== undefined,
      response: c.env.outgoing,
    } as const;
    return resultOf(
      await perform(options, caller, workspace, operation, body.input, (note) => notes.push(note)),
      notes,
    );
  };
  app.on(['GET', 'POST'], '/api/v1/:workspace/sync', (c) => {
    const { grant } = c.var;
    const workspace = workspaceOf(grant, 'api', c.req.param('workspace'));
    const caller = { grant, face: 'api', response: c.env.outgoing } as const;
    return syncWith(options, caller, workspace, c.req.raw);
  });
  app.post('/api/v1/:operation', (c) => callOperation(c, c.req.param('operation'), undefined));
  app.post('/api/v1/:workspace/:operation', (c) =>
    callOperation(c, c.req.param('operation'), c.req.param('workspace')),
  );
  app.post('/mcp/:workspace?', (c) => {
    const { grant, charge } = c.var;
    const workspace = workspaceOf(grant, 'mcp', c.req.param('workspace'));
    return mcp.answer(c.req.raw, { grant, workspace, charge, response: c.env.outgoing });
  });
  app.all('/mcp/:workspace?', () =>
    errorResponse(invalid.not_one_of('Expected POST.'), 405, { allow: 'POST' }),
  );
  app.notFound(() => errorResponse(notFound.no_operation('There is nothing at this address.')));
  app.onError((thrown, c) => {
    // A body breaks off when the client goes away or is too slow. Nobody reads this answer.
    if (isGone(c.env.outgoing)) return errorResponse(unavailable.client_gone('The client hung up.'));
    const error = options.outage.failed(asPrecedentError(thrown, log));
    // A client of an identity provider can ask its user for more scopes.
    const challenge = 'Bearer error="insufficient_scope", scope="memory:write"';
    const needsScope = error.code === 'unauthorized' && resource !== undefined;
    return errorResponse(error, undefined, needsScope ? { 'www-authenticate': challenge } : {});
  });

  return {
    fetch: app.fetch,
    /** Ends the open streams. */
    close: () => mcp.close(),
  };
}

/** The input of an operation, from the request's body. */
async function inputOf(request: Request) {
  const body = await jsonOf(request);
  if ('fault' in body) return rejected(invalid.wrong_content(body.fault.message), body.fault.status);
  const { value } = body;
  if (value !== null && typeof value === 'object' && !Array.isArray(value)) return { input: value };
  return rejected(invalid.wrong_type('Expected a JSON object.'));
}

/** The response with a result. @param notes are sent in a header, URL-encoded */
function resultOf(result: Record<string, unknown>, notes: string[]): Response {
  // The call has been carried out, so this must not throw, though half a surrogate pair cannot be URL-encoded.
  const headers = new Headers(
    notes.map((note) => [NOTE, encodeURIComponent(note.toWellFormed())] as [string, string]),
  );
  return Response.json(result, { headers });
}

const rejected = (error: PrecedentError, status?: number) => ({
  rejected: errorResponse(error, status),
});
