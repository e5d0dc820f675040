import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
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

  it('turns a token away for a while that calls too often, and no other', async () => {
    const few = await serving(scratchNow, { other: {} }, { rate: { burst: 3, perSecond: 0.01 } });
    try {
      const statuses = [];
      for (let n = 0; n < 5; n++) statuses.push((await few.api('a/mem_stats', {})).status);
      assert.deepEqual(statuses, [200, 200, 200, 429, 429]);
      assert.equal((await few.api('a/mem_stats', {}, few.tokens.other)).status, 200);
    } finally {
      await few.close();
    }
  });
  const scratchNow = scratch();
});
