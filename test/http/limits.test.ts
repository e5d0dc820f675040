import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { withinProcessorTime } from '../support/clock.ts';
import { scratch } from '../support/engines.ts';
import { type Serving, serving } from '../support/serving.ts';
import { settle, until } from '../support/until.ts';

describe('[H-3] [H-5] what a server takes of its clients', () => {
  const folder = scratch();
  let server: Serving;
  before(async () => {
    server = await serving(folder, {});
  });
  after(() => server.close());

  /** A message for MCP, sent as this says. */
  const message = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'mem_stats', arguments: {} },
  };
  const post = (path: string, body: string | Buffer, headers: Record<string, string> = {}) =>
    fetch(server.url + path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${server.tokens.all}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body,
    });

  for (const path of ['/api/v1/shop/mem_stats', '/mcp/shop'])
    for (const length of ['Content-Length: 9', 'Transfer-Encoding: chunked'])
      it(`takes a client that goes away for no fault of its own (${path}, ${length})`, async () => {
        const logged = server.logged.length;
        const socket = connect(server.port, '127.0.0.1');
        socket.write(
          [
            `POST ${path} HTTP/1.1`,
            `Host: 127.0.0.1:${server.port}`,
            `Authorization: Bearer ${server.tokens.all}`,
            'Content-Type: application/json',
            'Expect: 100-continue',
            length,
            '\r\n',
          ].join('\r\n'),
        );
        // Said when the request is on its way to its handler.
        await once(socket, 'data');
        const held = await server.connections();
        socket.destroy();
        await until(async () => (await server.connections()) < held);
        await settle();
        assert.deepEqual(server.logged.slice(logged), []);
      });

  for (const [what, sent] of [
    ['nothing', ''],
    ['half of its headers', 'POST /mcp HTTP/1.1\r\nHost: x'],
    [
      'half of its body',
      'POST /api/v1/shop/mem_stats HTTP/1.1\r\nHost: HOST\r\nAuthorization: Bearer TOKEN\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
    ],
  ] as const)
    it(`cuts off who sends ${what}, however long it would hold on`, async (test) => {
      const strict = await serving(
        folder,
        {},
        {
          limits: { headersTimeout: 50, requestTimeout: 50, connectionsCheckingInterval: 10 },
        },
      );
      test.after(() => strict.close());
      const socket = connect(strict.port, '127.0.0.1');
      socket.on('error', () => {});
      socket.resume();
      const closed = once(socket, 'close');
      await once(socket, 'connect');
      socket.write(
        sent.replace('HOST', `127.0.0.1:${strict.port}`).replace('TOKEN', strict.tokens.all ?? ''),
      );
      await closed;
    });

  it('cuts off who takes no answer', async (test) => {
    const strict = await serving(folder, {}, { limits: { silence: 50, strangerIdle: 50 } });
    test.after(() => strict.close());
    const socket = connect(strict.port, '127.0.0.1');
    socket.on('error', () => {});
    const host = `Host: 127.0.0.1:${strict.port}`;
    // More answers than the buffers of the system hold. None is read.
    socket.write(`GET /api/v1/openapi.json HTTP/1.1\r\n${host}\r\n\r\n`.repeat(200));
    await once(socket, 'connect');
    await until(async () => (await strict.connections()) === 0);
    socket.destroy();
  });

  it('takes a message of MCP in pieces, and none that is longer in all than it may be', async () => {
    const send = async (pieces: number, piece: string) => {
      const sent = request(`${server.url}/mcp`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${server.tokens.all}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
      });
      const answered = new Promise<number | undefined>((resolve) => {
        sent.on('response', (response) => resolve(response.resume().statusCode));
        // It may have been cut off while it still sent.
        sent.on('error', () => resolve(413));
      });
      for (let n = 0; n < pieces; n++) sent.write(piece);
      sent.end();
      return answered;
    };
    assert.equal(await send(1, JSON.stringify(message)), 200);
    assert.equal(await send(80, ' '.repeat(65_536)), 413);
  });

  for (const [path, shape] of [
    ['/api/v1/shop/mem_stats', { error: { code: 'invalid', reason: 'too_large' } }],
    ['/api/v1/shop/sync', { error: { code: 'invalid', reason: 'too_large' } }],
    ['/mcp', { jsonrpc: '2.0', id: null, error: { code: -32600 } }],
  ] as const)
    it(`refuses a body that is too long as ${path} refuses anything`, async () => {
      const answer = await post(path, ' '.repeat(5_000_000));
      assert.equal(answer.status, 413);
      const said = (await answer.json()) as { error: { message: string } };
      assert.partialDeepStrictEqual(said, shape);
      assert.match(said.error.message, /^Expected a body of at most 4194304 bytes\.$/);
    });

  it('unpacks nothing', async () => {
    const packed = gzipSync(JSON.stringify(message));
    assert.equal((await post('/mcp', packed, { 'content-encoding': 'gzip' })).status, 415);
    const search = gzipSync('{"query":"x"}');
    assert.equal(
      (await post('/api/v1/shop/mama_search', search, { 'content-encoding': 'gzip' })).status,
      415,
    );
  });

  it('refuses what is deep or has millions of values before it takes a parser gigabytes', async () => {
    const deep = `${'['.repeat(2_000_000)}${']'.repeat(2_000_000)}`;
    const wide = `{"query":[${'{},'.repeat(1_000_000)}{}]}`;
    const call = (given: string) => JSON.stringify({ ...message, params: 0 }).replace('0}', `${given}}`);
    await withinProcessorTime(2_000, async () => {
      for (const given of [deep, wide].map((text) => text.slice(0, 4_000_000))) {
        const api = await post('/api/v1/shop/mama_search', given);
        assert.equal(api.status, 400);
        const mcp = await post('/mcp', call(given));
        assert.equal(mcp.status, 400);
      }
    });
  });

  it('answers HEAD as GET without its body, where there is a GET', async () => {
    const head = (path: string) =>
      fetch(server.url + path, { method: 'HEAD', headers: { authorization: `Bearer ${server.tokens.all}` } });
    for (const [path, status] of [
      ['/healthz', 200],
      ['/api/v1/me', 200],
      ['/metrics', 200],
      ['/mcp', 405],
      ['/api/v1/shop/mama_save', 404],
    ] as const) {
      const answer = await head(path);
      assert.equal(answer.status, status, path);
      assert.equal(await answer.text(), '');
    }
    assert.equal((await fetch(`${server.url}/metrics`, { method: 'HEAD' })).status, 401);
  });

  it('answers who would rather speak another protocol, in this one', async () => {
    const answer = await server.raw(
      `GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nConnection: close, Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAEAAEAA\r\n\r\n`,
    );
    assert.match(answer, /^HTTP\/1\.1 200 /);
  });

  it('says of every answer, also of a refusal, that no browser is to keep, frame or guess it', async () => {
    for (const path of ['/healthz', '/nothing', '/mcp', '/api/v1/me', '/api/v1/shop/x']) {
      const { headers } = await fetch(server.url + path);
      assert.equal(headers.get('cache-control'), 'no-store', path);
      assert.equal(headers.get('x-content-type-options'), 'nosniff');
      assert.equal(headers.get('content-security-policy'), "default-src 'none'; frame-ancestors 'none'");
      assert.equal(headers.get('x-frame-options'), 'DENY');
      assert.equal(headers.get('referrer-policy'), 'no-referrer');
      assert.equal(headers.get('cross-origin-opener-policy'), 'same-origin');
      assert.equal(headers.get('cross-origin-resource-policy'), 'same-origin');
      assert.equal(headers.get('strict-transport-security'), null, 'that is said by who serves HTTPS');
      assert.equal(headers.get('access-control-allow-origin'), null);
      assert.equal(headers.get('server'), null);
    }
  });
});
