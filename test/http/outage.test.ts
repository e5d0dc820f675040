import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type ErrorReason, PrecedentError, REFUSALS } from '../../src/domain/error.ts';
import { scratch } from '../support/engines.ts';
import { serving } from '../support/serving.ts';

const FULL =
  'The server at postgres://10.1.2.3:5432/why does not let the role "owner" in; see /var/lib/precedent/x.db';
const HIDDEN = /10\.1\.2\.3|5432|owner|\/var\/lib/;

it('[Z-9] [OP-2] tells clients of an outage neither address nor role nor path, and logs it whole with its end', async (test) => {
  const reasons = Object.keys(REFUSALS.unavailable).filter(
    (reason) => !['busy', 'client_gone', 'off'].includes(reason),
  );
  let reason: string | undefined;
  const fail = () => {
    if (reason) throw new PrecedentError('unavailable', reason as ErrorReason, FULL);
  };
  const call = async () => {
    fail();
    return { results: [] };
  };
  const memory = { call, close: async () => {}, isOutdated: () => false };
  const list = async () => {
    fail();
    return ['shop'];
  };
  const server = await serving(
    scratch(),
    {},
    { source: { open: async () => memory as never, list }, isReady: async () => reason === undefined },
  );
  test.after(() => server.close());
  const headers = {
    authorization: `Bearer ${server.tokens.all}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  const message = {
    ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
    params: { name: 'mama_search', arguments: { query: 'x' } },
  };
  for (reason of reasons) {
    const api = await server.api('shop/mama_search', { query: 'x' });
    const mcp = await fetch(`${server.url}/mcp/shop`, {
      method: 'POST',
      headers,
      body: JSON.stringify(message),
    });
    const me = await fetch(`${server.url}/api/v1/me`, { headers });
    const ready = await fetch(`${server.url}/readyz`);
    assert.deepEqual([api.status, me.status, ready.status], [503, 503, 503]);
    const said = [JSON.stringify(api.body), await mcp.text(), await me.text()];
    for (const body of said) {
      assert.match(body, /unavailable/);
      assert.match(body, /log says more/);
    }
    for (const body of [...said, await ready.text()]) assert.doesNotMatch(body, HIDDEN);
    assert(server.logged.includes(`Calls fail in workspace "shop" (${reason}). ${FULL}`), reason);
  }
  reason = undefined;
  assert.equal((await server.api('shop/mama_search', { query: 'x' })).status, 200);
  assert.equal((await server.api('shop/mama_search', { query: 'x' })).status, 200);
  assert.equal(
    server.logged.filter((line) => line === 'Calls are answered again in workspace "shop".').length,
    1,
  );
  const metrics = await (await fetch(`${server.url}/metrics`, { headers })).text();
  assert.match(metrics, /^precedent_failures_total\{reason="not_let_in"\} 2$/m);
});

it('[OP-2] logs that a server is busy, and tells its clients why', async (test) => {
  const why = 'The memory was busy for 10 seconds; nothing was written. Try again.';
  const call = async () => {
    throw new PrecedentError('unavailable', 'busy', why);
  };
  const memory = { call, close: async () => {}, isOutdated: () => false };
  const server = await serving(scratch(), {}, { source: { open: async () => memory as never } });
  test.after(() => server.close());
  for (let n = 0; n < 2; n++) {
    const { status, body } = await server.api('shop/mama_search', { query: 'x' });
    assert.deepEqual([status, (body.error as { message: string } | undefined)?.message], [503, why]);
  }
  assert.deepEqual(server.logged, [`Calls fail in workspace "shop" (busy). ${why}`]);
});
