import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it, type TestContext } from 'node:test';
import { type Login, loginAt } from '../../src/http/access/login.ts';
import { byOAuth } from '../../src/http/access/oauth.ts';
import { NO_CHROMIUM, startChromium } from '../support/chromium.ts';
import { scratch } from '../support/engines.ts';
import { explored, openTab, pageOf } from '../support/explorer.ts';
import { provider } from '../support/provider.ts';
import { serving } from '../support/serving.ts';

const AUDIENCE = 'https://memory.example/mcp';
const SCOPE = 'memory:read memory:write';
const LOGIN = { client: 'precedent-page', secret: 'of the page' };
const AGENTS = { id: 'agents', redirect: 'http://127.0.0.1:1/back' };

/** A server whose page people log in to, and their provider. @param secret that the server has of its client */
async function site(test: TestContext, { secret = LOGIN.secret, serve = serving } = {}) {
  const idp = await provider(test, AUDIENCE);
  let login: Login | undefined;
  const later: Login = {
    begin: () => (login as Login).begin(),
    isBegun: (...given) => (login as Login).isBegun(...given),
    end: (...given) => (login as Login).end(...given),
  };
  const { issuer } = idp;
  const claims = { workspacesClaim: 'workspaces', authorClaim: 'name' };
  const options = {
    login: later,
    page: pageOf(true),
    authenticate: byOAuth({ issuer, audience: AUDIENCE, ...claims, pageClient: LOGIN.client }),
  };
  const server = await serve(scratch(), {}, options);
  test.after(() => server.close());
  login = loginAt({ issuer, clientId: LOGIN.client, secret, scope: SCOPE, publicUrl: server.url });
  idp.know(LOGIN.client, { redirect: `${server.url}/login/done`, secret: LOGIN.secret });
  idp.know(AGENTS.id, AGENTS);
  return { idp, server };
}

const go = (url: string, headers: Record<string, string> = {}) => fetch(url, { redirect: 'manual', headers });
const placeOf = (response: Response) => response.headers.get('location') ?? '';

/** Goes to the provider and back. @returns where it sends the browser back, and the cookie of the login */
async function begin(url: string) {
  const away = await go(`${url}/login`);
  assert.equal(away.status, 302);
  const [cookie = ''] = (away.headers.get('set-cookie') ?? '').split(';');
  assert.match(away.headers.get('set-cookie') ?? '', /HttpOnly; SameSite=Lax; Path=\/login/);
  return { back: placeOf(await go(placeOf(away))), cookie };
}

describe('logging in to the page at an identity provider', () => {
  it('[OP-6] gives the page a token, by which a person writes', async (test) => {
    const { server } = await site(test);
    const { back, cookie } = await begin(server.url);
    const done = await go(back, { cookie });
    const [, token = ''] = /^\/#token=(\S+)$/.exec(placeOf(done)) ?? [];
    assert.match(done.headers.get('set-cookie') ?? '', /^precedent-login=; Max-Age=0/);
    const headers = { authorization: `Bearer ${token}`, 'precedent-page': '1' };
    const me = (await (await fetch(`${server.url}/api/v1/me`, { headers })).json()) as Record<
      string,
      unknown
    >;
    assert.deepEqual([me.author, me.access, me.pageWrites], ['Kim Minsu', 'write', true]);
    // A code is good once, also for the browser that has the cookie.
    assert.equal((await go(back, { cookie })).status, 403);
    assert.doesNotMatch(JSON.stringify([server.audited, server.logged]), new RegExp(token.slice(-40)));
  });

  it('[OP-6] [Z-14] a token that a program got is taken, also a refreshed one, and is no person’s', async (test) => {
    const { idp, server } = await site(test);
    const challenge = createHash('sha256').update('v').digest('base64url');
    const asked = { client_id: AGENTS.id, redirect_uri: AGENTS.redirect, scope: SCOPE, state: 's' };
    const query = new URLSearchParams({ ...asked, code_challenge: challenge, code_challenge_method: 'S256' });
    const back = new URL(placeOf(await go(`${idp.issuer}/authorize?${query}`)));
    const exchange = async (fields: Record<string, string>) => {
      const body = new URLSearchParams({ client_id: AGENTS.id, ...fields });
      return (await (await fetch(`${idp.issuer}/token`, { method: 'POST', body })).json()) as Record<
        string,
        string
      >;
    };
    const code = back.searchParams.get('code') ?? '';
    const first = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: AGENTS.redirect,
      code_verifier: 'v',
    };
    const { refresh_token = '' } = await exchange(first);
    const { access_token } = await exchange({ grant_type: 'refresh_token', refresh_token });
    const headers = { authorization: `Bearer ${access_token}` };
    const me = (await (await fetch(`${server.url}/api/v1/me`, { headers })).json()) as Record<
      string,
      unknown
    >;
    assert.deepEqual([me.author, me.access, me.pageWrites], ['Kim Minsu', 'write', false]);
  });

  it('[OP-6] [H-3] is refused in a browser that did not begin it, and says why', async (test) => {
    const { idp, server } = await site(test);
    const [one, other] = [await begin(server.url), await begin(server.url)];
    const changed = (name: string, value: string) => {
      const url = new URL(one.back);
      url.searchParams.set(name, value);
      return url.href;
    };
    const refused: [url: string, cookie: string, why: RegExp][] = [
      [one.back, '', /did not begin/],
      [one.back, other.cookie, /did not begin/],
      [changed('state', 'x'), one.cookie, /did not begin/],
      [changed('iss', 'https://evil.example'), one.cookie, /refused the login/],
      [changed('code', 'x'), one.cookie, /refused the login \(invalid_grant\)/],
    ];
    for (const [url, cookie, why] of refused) {
      const answer = await go(url, { cookie });
      assert.deepEqual([answer.status, answer.headers.get('location')], [403, null]);
      assert.match(await answer.text(), why);
      assert.match(server.audited.at(-1)?.why ?? '', why);
    }
    idp.deny(true);
    const denied = await begin(server.url);
    assert.match(await (await go(denied.back, { cookie: denied.cookie })).text(), /access_denied/);
  });

  it('[OP-6] says that the secret of the client is wrong', async (test) => {
    const { server } = await site(test, { secret: 'another' });
    const { back, cookie } = await begin(server.url);
    assert.match(await (await go(back, { cookie })).text(), /invalid_client/);
  });

  it('[OP-6] is offered by no page of a server without it', async (test) => {
    const server = await serving(scratch(), {}, { page: pageOf(false) });
    test.after(() => server.close());
    assert.equal((await go(`${server.url}/login`)).status, 404);
    assert.doesNotMatch(await (await go(server.url)).text(), /data-login/);
  });

  it('[OP-6] [X-1] leads back to the view that was asked for, with no token in the address', {
    skip: NO_CHROMIUM,
  }, async (test) => {
    const { server } = await site(test, { serve: explored });
    const { page, settled, said, close } = await openTab(await startChromium(), server.url, undefined);
    test.after(close);
    // Without a token the page is refused, as it should be.
    said.length = 0;
    await page.evaluate('location.hash = "#/rules"');
    await page.click('a[href="/login"]');
    await page.waitForURL(`${server.url}/#/rules`);
    await settled();
    assert.match(await page.innerText('main'), /booking/);
    assert.deepEqual(said, []);
    assert.match(String(await page.evaluate('sessionStorage.getItem("precedent-token")')), /^ey/);
  });
});
