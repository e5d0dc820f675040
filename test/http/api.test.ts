import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { operations } from '../../src/operations/index.ts';
import { scratch } from '../support/engines.ts';
import { type Serving, serving } from '../support/serving.ts';

describe('[H-1] the JSON API', () => {
  const folder = scratch();
  let server: Serving;
  before(async () => {
    server = await serving(folder, {
      reader: { access: 'read' },
      one: { workspaces: ['one'], author: 'One' },
    });
  });
  after(() => server.close());

  const save = {
    type: 'decision',
    topic: 'infra:cdn',
    decision: 'Use Fastly',
    reasoning: 'It is near Seoul.',
  };

  it('saves, and finds what was saved, with who wrote it', async () => {
    const saved = await server.api('shop/mama_save', save);
    assert.equal(saved.status, 200);
    const { id } = saved.body as unknown as { id: string };
    const found = await server.api('shop/mama_search', { query: '서울 Fastly' });
    assert.deepEqual(
      (found.body as unknown as { results: { id: string }[] }).results.map((each) => each.id),
      [id],
    );
    const got = await server.api('shop/decision_get', { id });
    assert.match(JSON.stringify(got.body), /Kim Minsu <minsu@example.com>/);
  });

  it('answers a mistake with the code and the message of every other face', async () => {
    const { status, body } = await server.api('shop/mama_save', { ...save, topic: '' });
    assert.equal(status, 400);
    const { error } = body as unknown as { error: { code: string; message: string; workspace: string } };
    assert.equal(error.code, 'invalid');
    assert.match(error.message, /topic/);
    assert.equal(error.workspace, 'shop');
    const missing = await server.api('shop/decision_get', { id: 'no:such' });
    assert.equal(missing.status, 404);
  });

  it('[T-6] replaces a lock for a call that names it, and says what was replaced', async () => {
    const lock = { ...save, topic: 'infra:region', decision: 'Data stays in Seoul', strength: 'lock' };
    const { id } = (await server.api('shop/mama_save', lock)).body as unknown as { id: string };
    const other = { ...save, topic: 'infra:region', decision: 'Data may leave' };
    const refused = await server.api('shop/mama_save', other);
    assert.equal(refused.status, 409);
    assert.match(JSON.stringify(refused.body), /“Data stays in Seoul” \([0-9a-f-]{36}\).*give replaces/);
    const { status, body } = await server.api('shop/mama_save', { ...other, replaces: id.slice(0, 8) });
    assert.equal(status, 200);
    const { replaced, warnings } = body as unknown as { replaced: { text: string }; warnings: string[] };
    assert.equal(replaced.text, 'Data stays in Seoul');
    assert.match(warnings.join(), /a lock of “infra” was replaced/);
  });

  it('reads create nothing, and a save says that it made a memory (K-2)', async () => {
    const empty = await server.api('one/mama_search', { query: 'x' }, server.tokens.one);
    assert.equal(empty.status, 200);
    const me = async () =>
      (
        await fetch(`${server.url}/api/v1/me`, { headers: { authorization: `Bearer ${server.tokens.one}` } })
      ).json();
    assert.equal(((await me()) as { name: string }).name, 'one');
  });

  it('describes every operation in its document, which needs no token', async () => {
    const document = (await (await fetch(`${server.url}/api/v1/openapi.json`)).json()) as {
      openapi: string;
      paths: Record<string, { post: { requestBody: unknown; responses: Record<string, unknown> } }>;
    };
    assert.match(document.openapi, /^3\.1/);
    assert.deepEqual(
      Object.keys(document.paths),
      operations.map(({ name }) => `/api/v1/{workspace}/${name}`),
    );
    for (const { post } of Object.values(document.paths)) assert.ok(post.requestBody && post.responses[200]);
  });

  it('takes JSON alone, with a length that is not too long', async () => {
    const post = (body: string, headers: Record<string, string>) =>
      fetch(`${server.url}/api/v1/shop/mama_search`, {
        method: 'POST',
        headers: { authorization: `Bearer ${server.tokens.all}`, ...headers },
        body,
      });
    assert.equal((await post('{}', { 'content-type': 'text/plain' })).status, 415);
    assert.equal((await post('[]', { 'content-type': 'application/json' })).status, 400);
    assert.equal((await post('{"query":', { 'content-type': 'application/json' })).status, 400);
    assert.equal(
      (await post('{}', { 'content-type': 'application/json', 'content-encoding': 'gzip' })).status,
      415,
    );
    const long = JSON.stringify({ query: 'x'.repeat(5_000_000) });
    assert.equal((await post(long, { 'content-type': 'application/json' })).status, 413);
    const deep = `${'{"query":'.repeat(200_000)}1${'}'.repeat(200_000)}`;
    assert.equal((await post(deep, { 'content-type': 'application/json' })).status, 400);
  });

  it('keeps of each call who did what, and no text and no token (H-5)', async () => {
    server.audited.length = 0;
    await server.api('shop/mama_save', { ...save, topic: 'infra:dns', decision: 'A secret decision' });
    const [entry] = server.audited;
    assert.deepEqual(
      { ...entry, at: 0, ms: 0 },
      { at: 0, ms: 0, token: 'all', face: 'api', workspace: 'shop', operation: 'mama_save', code: 'ok' },
    );
    const all = JSON.stringify([server.audited, server.logged]);
    assert.doesNotMatch(all, /secret decision|prec_/);
  });

  it('[OP-7] says how it is, and counts what it did, workspaces only for those who may see them', async () => {
    assert.equal((await fetch(`${server.url}/healthz`)).status, 200);
    assert.equal((await fetch(`${server.url}/readyz`)).status, 200);
    assert.equal((await fetch(`${server.url}/metrics`)).status, 401);
    const metrics = await fetch(`${server.url}/metrics`, {
      headers: { authorization: `Bearer ${server.tokens.all}` },
    });
    const text = await metrics.text();
    assert.match(text, /precedent_requests_total\{face="api",operation="mama_save",code="ok"\} \d/);
    assert.match(text, /^precedent_workspace_requests_total\{workspace="shop",code="ok"\} \d/m);
    assert.match(text, /^precedent_request_seconds_count\{operation="mama_save"\} \d/m);
    assert.doesNotMatch(text, /Kim|test/);
    const ofOthers = await fetch(`${server.url}/metrics`, {
      headers: { authorization: `Bearer ${server.tokens.one}` },
    });
    assert.doesNotMatch(await ofOthers.text(), /shop/);
  });
});
