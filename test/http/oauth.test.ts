import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { byOAuth } from '../../src/http/access/oauth.ts';

const AUDIENCE = 'https://memory.example/mcp';

describe('[H-2] [H-3] tokens of an identity provider', () => {
  let provider: Server;
  let issuer: string;
  let fetched = 0;
  let isDown = false;
  let own: Awaited<ReturnType<typeof generateKeyPair>>;
  let foreign: typeof own;
  before(async () => {
    own = await generateKeyPair('ES256', { extractable: true });
    foreign = await generateKeyPair('ES256', { extractable: true });
    const jwk = { ...(await exportJWK(own.publicKey)), kid: 'one', alg: 'ES256' };
    provider = createServer((request, response) => {
      if (request.url === '/.well-known/openid-configuration') {
        response.writeHead(isDown ? 500 : 200).end(JSON.stringify({ jwks_uri: `${issuer}/keys` }));
        return;
      }
      if (request.url?.startsWith('/.well-known')) {
        response.writeHead(404).end();
        return;
      }
      fetched++;
      response.writeHead(isDown ? 500 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ keys: [jwk] }));
    });
    await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', () => resolve()));
    issuer = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
  });
  after(() => new Promise((resolve) => provider.close(resolve)));

  const authenticate = () =>
    byOAuth({
      issuer,
      jwks: `${issuer}/jwks`,
      audience: AUDIENCE,
      workspacesClaim: 'workspaces',
      authorClaim: 'name',
    });
  const claims = { scope: 'memory:read memory:write', workspaces: ['shop'], name: 'Kim Minsu' };
  const sign = (
    payload: JWTPayload,
    { key = own.privateKey, kid = 'one', audience = AUDIENCE, from = issuer, expires = '5m' } = {},
  ) =>
    new SignJWT(payload)
      .setProtectedHeader({ alg: 'ES256', kid })
      .setSubject('minsu')
      .setIssuer(from)
      .setAudience(audience)
      .setExpirationTime(expires)
      .sign(key);

  it('are taken as what they say', async () => {
    const grant = await authenticate()(await sign(claims));
    assert.deepEqual(
      { ...grant, expires: 0 },
      {
        name: 'minsu',
        author: 'Kim Minsu',
        person: false,
        workspaces: ['shop'],
        access: 'write',
        expires: 0,
      },
    );
    assert.equal((await authenticate()(await sign({ ...claims, scope: 'memory:read' })))?.access, 'read');
    assert.deepEqual(
      (await authenticate()(await sign({ ...claims, workspaces: undefined })))?.workspaces,
      [],
    );
    assert.equal((await authenticate()(await sign({ ...claims, workspaces: '*' })))?.workspaces, undefined);
  });

  it('are refused for anything that is wrong with them', async () => {
    const check = authenticate();
    const bare = new SignJWT(claims)
      .setProtectedHeader({ alg: 'ES256', kid: 'one' })
      .setSubject('minsu')
      .setIssuer(issuer);
    const secret = new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', kid: 'one' })
      .setSubject('minsu')
      .setIssuer(issuer);
    const wrong = {
      audience: await sign(claims, { audience: 'https://other.example/mcp' }),
      issuer: await sign(claims, { from: 'https://evil.example' }),
      expired: await sign(claims, { expires: '-2m' }),
      'no audience': await bare.setExpirationTime('5m').sign(own.privateKey),
      'no end': await new SignJWT(claims)
        .setProtectedHeader({ alg: 'ES256', kid: 'one' })
        .setSubject('minsu')
        .setIssuer(issuer)
        .setAudience(AUDIENCE)
        .sign(own.privateKey),
      'foreign key': await sign(claims, { key: foreign.privateKey }),
      'unknown key': await sign(claims, { kid: 'two' }),
      'no scope': await sign({ ...claims, scope: undefined }),
      'a shared secret': await secret
        .setAudience(AUDIENCE)
        .setExpirationTime('5m')
        .sign(new TextEncoder().encode('x'.repeat(32))),
      'no signature': new UnsecuredJWT(claims)
        .setSubject('minsu')
        .setIssuer(issuer)
        .setAudience(AUDIENCE)
        .setExpirationTime('5m')
        .encode(),
      rubbish: 'a.b.c',
      'no token': 'prec_x',
    };
    for (const [what, token] of Object.entries(wrong)) assert.equal(await check(token), undefined, what);
  });

  it('[OP-6] are found where the provider says, with scopes in either claim, and their refusal has a reason', async () => {
    const reasons: string[] = [];
    const check = byOAuth({ issuer, audience: AUDIENCE, workspacesClaim: 'workspaces', authorClaim: 'name' });
    const { scope: _, ...rest } = claims;
    const tell = (why: string) => void reasons.push(why);
    const ask = async (payload: JWTPayload, how = {}) => check(await sign(payload, how), tell);
    isDown = true;
    await assert.rejects(ask(claims), /cannot be read/);
    isDown = false;
    for (const scp of ['memory:read memory:write', ['memory:read', 'memory:write']])
      assert.equal((await ask({ ...rest, scp }))?.access, 'write');
    assert.deepEqual(reasons, []);
    await ask(claims, { audience: 'https://other.example/mcp' });
    await ask(claims, { expires: '-2m' });
    await ask({ ...rest, scp: 'openid' });
    await check('opaque', tell);
    await check(undefined, tell);
    assert.match(reasons[0] ?? '', /"aud"/);
    assert.match(reasons[1] ?? '', /"exp"/);
    assert.match(reasons[2] ?? '', /memory:read.*"scp"/);
    assert.match(reasons[3] ?? '', /nor a JWT/);
    assert.equal(reasons.length, 4);
  });

  it('that name unknown keys do not make the server ask for keys again and again', async () => {
    const check = authenticate();
    await check(await sign(claims));
    const before = fetched;
    for (let n = 0; n < 30; n++) await check(await sign(claims, { kid: `k${n}` }));
    assert.ok(fetched - before <= 1, `${fetched - before} times`);
  });

  it('are no fault of their holder while the provider’s keys cannot be had', async () => {
    isDown = true;
    await assert.rejects(authenticate()(await sign(claims)), { code: 'unavailable' });
    isDown = false;
  });
});
