import assert from 'node:assert/strict';
import { copyFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { openMemory } from '../../src/memory/memory.ts';
import { scratch } from '../support/engines.ts';
import { ERAS, givesNothingAway } from '../support/program.ts';
import { type Serving, serving } from '../support/serving.ts';

const save = (n: number) => ({ type: 'decision', topic: `a:t${n}`, decision: 'd', reasoning: 'r' });
const errorOf = (body: unknown) => (body as { error: { code: string; message: string } }).error;

describe('[H-1] [R-17] a server whose memory cannot be had', () => {
  const folders = [scratch(), scratch()];
  const places = {
    'a damaged file': async () => {
      const [folder = ''] = folders;
      const memory = await openMemory({ db: join(folder, 'whole.db') });
      await memory.close();
      writeFileSync(join(folder, 'shop.db'), Buffer.alloc(100_000, 'not a database '));
      return { folder, open: {} };
    },
    'a PostgreSQL that is down': async () => ({
      folder: folders[1] as string,
      open: {
        source: {
          // The port of nobody.
          open: (workspace: string) =>
            openMemory({ db: 'postgres://nobody:hush@127.0.0.1:1/none', workspace }),
        },
      },
    }),
  };
  for (const [what, place] of Object.entries(places))
    it(`says so to each call, and still starts and lists its tools (${what})`, async (test) => {
      const { folder, open } = await place();
      const server = await serving(folder, {}, open);
      test.after(() => server.close());
      for (const [name, input] of [
        ['mama_search', { query: 'x' }],
        ['mama_save', save(1)],
      ] as const) {
        const response = await fetch(`${server.url}/api/v1/shop/${name}`, {
          method: 'POST',
          headers: { authorization: `Bearer ${server.tokens.all}`, 'content-type': 'application/json' },
          body: JSON.stringify(input),
        });
        assert.equal(response.status, 503);
        assert.equal(response.headers.get('retry-after'), '1');
        const { code, message } = errorOf(await response.json());
        assert.equal(code, 'unavailable');
        givesNothingAway(message.replaceAll('SQLite', ''));
        assert.doesNotMatch(message, /hush/);
      }
      for (const mode of Object.values(ERAS)) {
        const client = new Client({ name: 'x', version: '1' }, { versionNegotiation: { mode } });
        await client.connect(
          new StreamableHTTPClientTransport(new URL(`${server.url}/mcp/shop`), {
            requestInit: { headers: { authorization: `Bearer ${server.tokens.all}` } },
          }),
        );
        assert.ok((await client.listTools()).tools.length > 10);
        const said = await client.callTool({ name: 'mama_search', arguments: { query: 'x' } });
        assert.equal(said.isError, true);
        assert.match(JSON.stringify(said.content), /unavailable: /);
        await client.close();
      }
      assert.equal((await fetch(`${server.url}/healthz`)).status, 200);
      assert.doesNotMatch(JSON.stringify([server.audited, server.logged]), /hush/);
    });

  it('answers again, without a restart, when it is back', async (test) => {
    const folder = scratchNow;
    const memory = await openMemory({ db: join(folder, 'whole.db') });
    await memory.close();
    writeFileSync(join(folder, 'shop.db'), Buffer.alloc(100_000, 'not a database '));
    const server = await serving(folder);
    test.after(() => server.close());
    assert.equal((await server.api('shop/mama_save', save(1))).status, 503);
    for (const file of readdirSync(folder)) if (file.startsWith('shop')) rmSync(join(folder, file));
    copyFileSync(join(folder, 'whole.db'), join(folder, 'shop.db'));
    assert.equal((await server.api('shop/mama_save', save(1))).status, 200);
  });
  const scratchNow = scratch();
});

describe('[H-1] what a result has no room for', () => {
  const folder = scratch();
  it('is in a header of the API, whatever its text holds', async (test) => {
    const memory = await openMemory({ db: join(folder, 'shop.db') });
    const fullText = '결제 🔑 담당자를 오늘 정함';
    await memory.memo.save({ fullText, summary: '결제 🔑', keywords: ['결제'] });
    await memory.close();
    const server = await serving(folder);
    test.after(() => server.close());
    const saved = await fetch(`${server.url}/api/v1/shop/memo_save`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.tokens.all}`, 'content-type': 'application/json' },
      body: JSON.stringify({ fullText: `${fullText} 다시` }),
    });
    assert.equal(saved.status, 200, await saved.clone().text());
    const note = decodeURIComponent(saved.headers.get('precedent-note') ?? '');
    assert.match(note, /^older: /);
    assert.ok(note.includes('결제 🔑'));
  });
});

describe('[H-1] two servers on one file', () => {
  const folder = scratch();
  it('lose nothing, and each sees what the other saved', async (test) => {
    const servers: Serving[] = [await serving(folder), await serving(folder)];
    test.after(() => Promise.all(servers.map((each) => each.close())));
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) => (servers[n % 2] as Serving).api('shop/mama_save', save(n))),
    );
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
    for (const server of servers) {
      const { body } = await server.api('shop/decision_list', { limit: 100 });
      assert.equal((body as unknown as { decisions: unknown[] }).decisions.length, 40);
    }
  });
});
