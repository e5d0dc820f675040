import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { scratch } from '../support/engines.ts';
import { ERAS } from '../support/program.ts';
import { type Serving, serving } from '../support/serving.ts';

describe('[H-1] MCP over HTTP', () => {
  const folder = scratch();
  let server: Serving;
  before(async () => {
    server = await serving(folder, {
      reader: { access: 'read' },
      shop: { workspaces: ['shop'], author: 'Lee' },
    });
  });
  after(() => server.close());

  it('answers a client of the older era with JSON, one message or several, and says no more than that', async () => {
    const post = async (body: unknown) => {
      const response = await fetch(`${server.url}/mcp/shop`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${server.tokens.shop}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify(body),
      });
      assert.equal(response.headers.get('content-type')?.split(';')[0], 'application/json');
      return response.json();
    };
    const ask = (id: number, method: string, params: object = {}) => ({ jsonrpc: '2.0', id, method, params });
    const called = (await post(ask(1, 'tools/call', { name: 'mama_load_checkpoint' }))) as { result: object };
    assert.deepEqual(Object.keys(called.result), ['content']);
    assert.deepEqual(await post([ask(2, 'ping'), ask(3, 'ping')]), [
      { result: {}, jsonrpc: '2.0', id: 2 },
      { result: {}, jsonrpc: '2.0', id: 3 },
    ]);
    const none = { code: -32602, message: 'Tool constructor not found' };
    assert.deepEqual(await post(ask(4, 'tools/call', { name: 'constructor' })), {
      jsonrpc: '2.0',
      id: 4,
      error: none,
    });
  });

  for (const [era, mode] of Object.entries(ERAS)) {
    const connect = async (token: string | undefined, path = '/mcp') => {
      const client = new Client({ name: 'tester', version: '1.2.3' }, { versionNegotiation: { mode } });
      await client.connect(
        new StreamableHTTPClientTransport(new URL(server.url + path), {
          requestInit: { headers: { authorization: `Bearer ${token}` } },
        }),
      );
      return client;
    };
    const textOf = (result: unknown) => (result as { content: { text: string }[] }).content[0]?.text ?? '';

    it(`saves and finds, in the token’s own workspace (${era})`, async () => {
      const client = await connect(server.tokens.shop);
      const topic = `era:${era.replaceAll(/\W/g, '')}`;
      const save = { type: 'decision', topic, decision: `Use ${era}`, reasoning: '둘 다 쓴다' };
      const saved = await client.callTool({ name: 'mama_save', arguments: save });
      assert.ok(!saved.isError, textOf(saved));
      const found = await client.callTool({ name: 'recall', arguments: { task: topic } });
      assert.match(textOf(found), new RegExp(topic));
      await client.close();
      const api = await server.api('shop/decision_get', { id: topic });
      assert.match(JSON.stringify(api.body), /"author":"Lee"/);
      assert.equal(server.audited.at(-1)?.face, 'api');
      assert.ok(
        server.audited.some(({ face, token, code }) => face === 'mcp' && token === 'shop' && code === 'ok'),
      );
    });

    it(`[RE-7] recall names by topic the rules whose words it told this client before (${era})`, async () => {
      const client = await connect(server.tokens.shop);
      const name = era.replaceAll(/\W/g, '');
      const save = { topic: `boat:${name}`, decision: '배는 항구에 묶는다', strength: 'lock' };
      await client.callTool({ name: 'mama_save', arguments: save });
      const recall = async () =>
        JSON.parse(textOf(await client.callTool({ name: 'recall', arguments: { task: 'paint the fence' } })));
      const [first, again] = [await recall(), await recall()];
      assert.match(first.others.join(), new RegExp(`boat:${name}: 배는 항구에`));
      assert.doesNotMatch((again.others ?? []).join(), new RegExp(name));
      assert.match(again.others_named, new RegExp(`boat:${name}.*: decision_get`));
      await client.close();
    });

    it(`offers tools that read alone to a token that may only read (${era})`, async () => {
      const client = await connect(server.tokens.reader);
      const { tools } = await client.listTools();
      assert.ok(tools.length > 3);
      for (const { name, annotations } of tools) assert.equal(annotations?.readOnlyHint, true, name);
      await client.close();
    });

    it(`says of a tool that is not there, or not for a reader, that there is none (${era})`, async () => {
      const client = await connect(server.tokens.reader);
      for (const name of ['mama_nothing', 'mama_save'])
        await assert.rejects(client.callTool({ name, arguments: {} }), new RegExp(`Tool ${name} not found`));
      const found = await client.callTool({ name: 'mama_search', arguments: { query: 'x' } });
      assert.ok(!found.isError, textOf(found));
      await client.close();
    });

    it(`answers a workspace outside of the grant as one that is not there (${era})`, async () => {
      // A client of the newer protocol says of either that the server does not speak it.
      await assert.rejects(connect(server.tokens.shop, '/mcp/bank'));
      await assert.rejects(connect('prec_wrong'));
      const post = (path: string, token: string | undefined) =>
        fetch(server.url + path, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}` },
          body: '{}',
        });
      assert.equal((await post('/mcp/bank', server.tokens.shop)).status, 404);
      assert.equal((await post('/mcp', 'prec_wrong')).status, 401);
    });
  }
});
