import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

/** A client that a provider knows. */
interface Known {
  redirect: string;
  secret?: string;
}

/** A login, until it is exchanged for tokens. */
interface Granted {
  client: string;
  redirect: string;
  challenge: string;
  scope: string;
}

/** An identity provider on this machine, where Kim Minsu is logged in: discovery, keys, codes with PKCE, and refreshing (OP-6). */
export async function provider(test: { after: (clean: () => unknown) => void }, audience: string) {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256' };
  const clients = new Map<string, Known>();
  const codes = new Map<string, Granted>();
  const refreshing = new Map<string, Granted>();
  let denies = false;

  const tokensOf = async (granted: Granted) => {
    const refresh = randomUUID();
    refreshing.set(refresh, granted);
    const claims = { scope: granted.scope, workspaces: '*', name: 'Kim Minsu', azp: granted.client };
    const access = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'ES256', kid: 'one' })
      .setSubject('minsu')
      .setIssuer(issuer)
      .setAudience(audience)
      .setExpirationTime('5m')
      .sign(privateKey);
    return { access_token: access, refresh_token: refresh, token_type: 'Bearer', expires_in: 300 };
  };
  /** Where the browser is sent with a code. A redirect that is not registered is never followed. */
  const authorize = (asked: URLSearchParams) => {
    const [client, redirect] = [asked.get('client_id') ?? '', asked.get('redirect_uri') ?? ''];
    const challenge = asked.get('code_challenge') ?? '';
    if (clients.get(client)?.redirect !== redirect || asked.get('code_challenge_method') !== 'S256')
      return undefined;
    const back = new URL(redirect);
    back.searchParams.set('state', asked.get('state') ?? '');
    back.searchParams.set('iss', issuer);
    if (denies) back.searchParams.set('error', 'access_denied');
    else {
      const code = randomUUID();
      codes.set(code, { client, redirect, challenge, scope: asked.get('scope') ?? '' });
      back.searchParams.set('code', code);
    }
    return back.href;
  };
  const exchange = async (request: IncomingMessage) => {
    const asked = new URLSearchParams(await text(request));
    const code = asked.get('code') ?? '';
    const granted = codes.get(code) ?? refreshing.get(asked.get('refresh_token') ?? '');
    codes.delete(code);
    refreshing.delete(asked.get('refresh_token') ?? '');
    if (!granted || granted.client !== asked.get('client_id')) return { error: 'invalid_grant' };
    if (clients.get(granted.client)?.secret !== (asked.get('client_secret') ?? undefined))
      return { error: 'invalid_client' };
    const verified = createHash('sha256')
      .update(asked.get('code_verifier') ?? '')
      .digest('base64url');
    const isOfCode = asked.get('grant_type') === 'authorization_code';
    if (isOfCode && (granted.challenge !== verified || granted.redirect !== asked.get('redirect_uri')))
      return { error: 'invalid_grant' };
    return tokensOf(granted);
  };

  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', issuer);
    const answers: Record<string, () => Promise<object> | object> = {
      '/.well-known/openid-configuration': () => ({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
      }),
      '/keys': () => ({ keys: [jwk] }),
      '/token': () => exchange(request),
    };
    if (pathname === '/authorize') {
      const location = authorize(searchParams);
      response.writeHead(location ? 302 : 400, location ? { location } : {}).end();
      return;
    }
    const answer = (await answers[pathname]?.()) ?? {};
    const isThere = pathname in answers && !('error' in answer);
    response
      .writeHead(isThere ? 200 : 400, { 'content-type': 'application/json' })
      .end(JSON.stringify(answer));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  test.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const issuer: string = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    issuer,
    /** Registers a client. */
    know: (id: string, client: Known) => void clients.set(id, client),
    /** Whether people say no. */
    deny: (no: boolean) => {
      denies = no;
    },
  };
}
