import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import { readdirSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { byTokenFile, byTokens } from '../../src/http/access/authenticate.ts';
import { writeTokens } from '../../src/http/access/token-file.ts';
import { hashOf, newToken } from '../../src/http/access/tokens.ts';
import { auditLines } from '../../src/http/audit.ts';
import { scratch } from '../support/engines.ts';
import { GRANT, type Serving, serving } from '../support/serving.ts';

describe('[H-3] what is tried over a socket', () => {
  const folder = scratch();
  let server: Serving;
  before(async () => {
    server = await serving(folder);
  });
  after(() => server.close());
  const body = '{"type":"decision","topic":"a:b","decision":"owned","reasoning":"r"}';
  /** A save, with some header lines of an attacker's choice. */
  const save = (lines: string[], { target = '/api/v1/shop/mama_save', host = true } = {}) =>
    server.raw(
      [
        `POST ${target} HTTP/1.1`,
        ...(host ? [`Host: 127.0.0.1:${server.port}`] : []),
        `Authorization: Bearer ${server.tokens.all}`,
        'Content-Type: application/json',
        ...lines,
        'Connection: close',
        '',
        '',
      ].join('\r\n') + body,
    );
  const length = `Content-Length: ${body.length}`;
  const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0);
  const isRefused = (answer: string, what: string) => {
    assert.ok(
      [0, 400, 403, 404, 405, 411, 413, 414, 415, 431].includes(statusOf(answer)),
      `${what}: ${answer.slice(0, 200)}`,
    );
    assert.doesNotMatch(answer, /owned|sqlite|node_modules|\.ts|prec_/i);
    assert.deepEqual(readdirSync(folder), []);
  };

  it('another name in Host, none, two, a dot, a user, a suffix: refused', async () => {
    const { port } = server;
    for (const host of [
      `evil.example:${port}`,
      '127.0.0.1',
      `127.0.0.1.:${port}`,
      `localhost.evil.example:${port}`,
      `a@127.0.0.1:${port}`,
      `127.0.0.1:${port + 1}`,
      `127.0.0.1:${port}, evil`,
    ])
      isRefused(await save([`Host: ${host}`, length], { host: false }), host);
    isRefused(await save([length], { host: false }), 'none');
    isRefused(await save(['Host: evil.example', length]), 'two');
  });

  it('a page of another site, another port, another scheme, of no origin: refused', async () => {
    const { port } = server;
    for (const origin of [
      'http://evil.example',
      `http://localhost:${port + 1}`,
      `https://localhost:${port}`,
      'null',
      `http://127.0.0.1:${port}.evil.example`,
      `http://127.0.0.1:${port}/`,
      // Another name of this machine: what listens there for the user may not be this server.
      `http://localhost:${port}`,
    ])
      isRefused(await save([`Origin: ${origin}`, length]), origin);
    for (const site of ['cross-site', 'same-site'])
      isRefused(await save([`Sec-Fetch-Site: ${site}`, 'Sec-Fetch-Mode: cors', length]), site);
  });

  it('a target with a host in it, a path that climbs, a name that objects have: refused', async () => {
    for (const target of [
      'http://evil.example/api/v1/shop/mama_save',
      `http://127.0.0.1:${server.port}/api/v1/shop/mama_save`,
      '/api/v1/../../etc/passwd',
      '/api/v1/..%2F..%2Fx/mama_save',
      '/api/v1/%2e%2e/mama_save',
      '/api/v1/a%00b/mama_save',
      '/api/v1/a%2Fb/mama_save',
      '/api/v1/shop/constructor',
      '/api/v1/shop/__proto__',
      '/api/v1/shop/toString',
      '/api/v1/%E0%A4%A/mama_save',
      '/%2e%2e/%2e%2e/etc/passwd',
      '*',
    ])
      isRefused(await save([length], { target }), target);
  });

  it('two tokens, a length and chunks, folded lines, giant headers, other methods: refused', async () => {
    isRefused(await save(['Authorization: Bearer x', length]), 'two tokens');
    isRefused(await save([length, 'Transfer-Encoding: chunked']), 'length and chunks');
    isRefused(await save([length, 'X-Folded: a\r\n b']), 'folded');
    isRefused(await save([length, `X-Long: ${'x'.repeat(20_000)}`]), 'giant');
    isRefused(await save(['Transfer-Encoding: chunked']), 'chunks alone');
    for (const method of ['TRACE', 'CONNECT', 'OPTIONS', 'PUT', 'DELETE', 'GARBAGE'])
      isRefused(
        await server.raw(
          `${method} /mcp HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nAuthorization: Bearer ${server.tokens.all}\r\nConnection: close\r\n\r\n`,
        ),
        method,
      );
    isRefused(await server.raw('\x16\x03\x01 not http at all\r\n\r\n'), 'rubbish');
  });

  it('a message that would change every object does not', async () => {
    await server.api('shop/mama_search', JSON.parse('{"query":"x","__proto__":{"polluted":true}}'));
    assert.equal(({} as { polluted?: boolean }).polluted, undefined);
  });

  it('a name with a line break forges no line of the audit', () => {
    let text = '';
    const audit = auditLines((line) => {
      text += line;
    });
    audit({ at: 0, token: 'a"}\n{"token":"b"}\r\u2028', face: 'api', code: 'ok' });
    const [line = '', ...rest] = text.split(/\r|\n/);
    assert.deepEqual(rest, ['']);
    assert.equal(JSON.parse(line).token, 'a"}\n{"token":"b"}\r\u2028');
  });

  it('a disk without room takes lines of the audit away, and no answer', () => {
    const told: string[] = [];
    let isFull = true;
    const audit = auditLines(
      () => {
        if (isFull) throw Object.assign(new Error('/secret/path'), { code: 'ENOSPC' });
      },
      (message) => void told.push(message),
    );
    for (let n = 0; n < 3; n++) audit({ at: 0, face: 'api', code: 'ok' });
    assert.deepEqual(told, ['The audit cannot be written (ENOSPC).']);
    isFull = false;
    audit({ at: 0, face: 'api', code: 'ok' });
    assert.match(told[1] ?? '', /3 lines/);
  });

  it('the time that a token takes tells nothing of another one: the hashes of all are compared, each in constant time', async (test) => {
    const [first, second, expired] = [newToken(), newToken(), newToken()];
    const records = [
      { ...GRANT, name: 'first', hash: hashOf(first) },
      { ...GRANT, name: 'expired', hash: hashOf(expired), expires: 0 },
      { ...GRANT, name: 'second', hash: hashOf(second) },
    ];
    const file = join(scratch(), 'tokens');
    writeTokens(file, records);
    const compare = test.mock.method(crypto, 'timingSafeEqual');
    syncBuiltinESMExports();
    test.after(() => {
      compare.mock.restore();
      syncBuiltinESMExports();
    });
    const almost = `${first.slice(0, -1)}${first.endsWith('A') ? 'B' : 'A'}`;
    for (const authenticate of [
      byTokens(records, () => 1),
      byTokenFile(
        file,
        () => {},
        () => 1,
      ),
    ])
      for (const [token, name] of [
        [first, 'first'],
        [second, 'second'],
        [expired, undefined],
        [almost, undefined],
        [first.slice(0, 9), undefined],
        [newToken(), undefined],
      ] as const) {
        compare.mock.resetCalls();
        assert.equal((await authenticate(token))?.name, name);
        assert.deepEqual(
          compare.mock.calls.map((call) => call.arguments),
          records.map(({ hash }) => [Buffer.from(hash, 'hex'), Buffer.from(hashOf(token), 'hex')]),
        );
      }
  });

  it('strangers are told so however often they ask, and fill no disk', async () => {
    server.audited.length = 0;
    for (let n = 0; n < 60; n++) assert.equal((await fetch(`${server.url}/api/v1/me`)).status, 401);
    const wrong = { headers: { authorization: 'Bearer prec_wrong' } };
    const statuses = new Set<number>();
    for (let n = 0; n < 60; n++) statuses.add((await fetch(`${server.url}/api/v1/me`, wrong)).status);
    assert.deepEqual([...statuses], [401, 429]);
    assert.ok(server.audited.length < 100, `${server.audited.length} lines`);
    assert.equal((await server.api('shop/mem_stats', {})).status, 200, 'who has a token is let in');
  });

  it('and what is meant for this server is answered', async () => {
    assert.equal(statusOf(await save([length])), 200);
  });
});
