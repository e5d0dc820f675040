import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { proxiesIn } from '../../src/http/access/peer.ts';
import { operations } from '../../src/operations/index.ts';
import { scratch } from '../support/engines.ts';
import { NOW, type Serving, serving } from '../support/serving.ts';

describe('[H-2] who may do what', () => {
  const folder = scratch();
  let server: Serving;
  before(async () => {
    server = await serving(folder, {
      reader: { access: 'read' },
      shop: { workspaces: ['shop'] },
      both: { workspaces: ['shop', 'bank'] },
      old: { expires: NOW - 1 },
    });
    for (const workspace of ['shop', 'bank'])
      await server.api(`${workspace}/mama_save`, {
        type: 'decision',
        topic: 'a:b',
        decision: workspace,
        reasoning: 'r',
      });
  });
  after(() => server.close());
  const ask = (authorization?: string) =>
    fetch(`${server.url}/api/v1/me`, { headers: authorization === undefined ? {} : { authorization } });

  it('lets nobody in without a token that holds', async () => {
    for (const header of [
      undefined,
      'Bearer',
      'Bearer x',
      `Basic ${server.tokens.all}`,
      `Bearer ${server.tokens.old}`,
      `Bearer ${server.tokens.all}x`,
    ]) {
      const answer = await ask(header);
      assert.equal(answer.status, 401, header);
      assert.match(answer.headers.get('www-authenticate') ?? '', /^Bearer/);
    }
    assert.equal((await ask(`Bearer ${server.tokens.all}`)).status, 200);
    assert.equal((await fetch(`${server.url}/api/v1/me?token=${server.tokens.all}`)).status, 401);
  });

  it('lets a token that may only read, only read: every operation that writes is refused', async () => {
    for (const { name, access } of operations) {
      const { status, body } = await server.api(`shop/${name}`, {}, server.tokens.reader);
      if (access === 'write') {
        assert.equal(status, 403, name);
        assert.equal((body as unknown as { error: { code: string } }).error.code, 'unauthorized');
      } else assert.notEqual(status, 403, name);
    }
  });

  it('shows a workspace outside of the grant as one that does not exist', async () => {
    const search = { query: 'bank' };
    const outside = await server.api('bank/mama_search', search, server.tokens.shop);
    const nowhere = await server.api('nowhere/mama_search', search, server.tokens.shop);
    assert.equal(outside.status, 404);
    assert.equal(JSON.stringify(outside).replaceAll('bank', 'nowhere'), JSON.stringify(nowhere));
    const me = await ask(`Bearer ${server.tokens.shop}`);
    assert.deepEqual(((await me.json()) as { workspaces: string[] }).workspaces, ['shop']);
    const inside = await server.api('shop/mama_search', { query: 'shop' }, server.tokens.shop);
    assert.equal(inside.status, 200);
  });

  it('says which workspace is meant without a name, and none that the grant does not cover', async () => {
    const mainOf = async (token?: string) =>
      ((await (await ask(`Bearer ${token}`)).json()) as { main?: string }).main;
    assert.equal(await mainOf(server.tokens.all), 'main');
    assert.equal(await mainOf(server.tokens.shop), 'shop');
    assert.equal(await mainOf(server.tokens.both), undefined);
    const { status, body } = await server.api('mama_search', { query: 'x' }, server.tokens.both);
    assert.equal(status, 404);
    assert.doesNotMatch(JSON.stringify(body), /main/);
  });

  it('turns a token away for a while that calls too often, and no other', async () => {
    const few = await serving(scratchNow, { other: {} }, { rate: { burst: 3, perSecond: 0.01 } });
    try {
      const statuses = [];
      for (let n = 0; n < 5; n++) statuses.push((await few.api('a/mem_stats', {})).status);
      assert.deepEqual(statuses, [200, 200, 200, 429, 429]);
      assert.equal((await few.api('a/mem_stats', {}, few.tokens.other)).status, 200);
      // However often it goes on, the audit has a line of it.
      const [limited, ...more] = few.audited.filter(({ code }) => code === 'too_many');
      assert.deepEqual([limited?.token, limited?.peer, more], ['all', '127.0.0.1', []]);
    } finally {
      await few.close();
    }
  });
  it('counts a request to any address of MCP once', async () => {
    for (const path of ['/mcp', '/mcp/a']) {
      const few = await serving(scratchNow, {}, { rate: { burst: 3, perSecond: 0.01 } });
      const headers = { authorization: `Bearer ${few.tokens.all}` };
      try {
        const statuses = [];
        for (let n = 0; n < 4; n++) statuses.push((await fetch(few.url + path, { headers })).status);
        assert.deepEqual(statuses, [405, 405, 405, 429], path);
      } finally {
        await few.close();
      }
    }
  });

  it('believes a proxy that is named whom a token that does not hold came from, and nobody else', async () => {
    const from = async (proxied: Serving, forwarded: string) => {
      const headers = { authorization: 'Bearer prec_wrong', 'x-forwarded-for': forwarded };
      return (await fetch(`${proxied.url}/api/v1/me`, { headers })).status;
    };
    for (const isProxied of [true, false]) {
      const proxied = await serving(scratchNow, {}, isProxied ? { isProxy: proxiesIn('loopback') } : {});
      try {
        for (let n = 0; n < 31; n++) await from(proxied, 'spoofed, 203.0.113.5');
        // Who comes by the same proxy is not held up by another one.
        assert.deepEqual(
          [await from(proxied, '203.0.113.5'), await from(proxied, '203.0.113.6')],
          isProxied ? [429, 401] : [429, 429],
        );
        const peers = [...new Set(proxied.audited.map(({ peer }) => peer))];
        assert.deepEqual(peers, isProxied ? ['203.0.113.5', '203.0.113.6'] : ['127.0.0.1']);
        assert.equal(proxied.audited.filter(({ code }) => code === 'too_many').length, 1);
      } finally {
        await proxied.close();
      }
    }
  });
  const scratchNow = scratch();
});
