import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { ErrorCode, Memory } from '../src/index.ts';
import { newestFormat } from '../src/sync/check.ts';
import { engines, sqlite } from './support/engines.ts';
import { refuses } from './support/expect.ts';
import { workbench } from './support/program.ts';
import { serving } from './support/serving.ts';
import { exported } from './support/stream.ts';
import { served, shown } from './support/synced.ts';

const engine = engines.find(({ name, skip }) => name === 'PostgreSQL' && !skip) ?? sqlite;

type Served = Awaited<ReturnType<typeof served>>;
const syncing = ({ at, token }: Served) => ({
  first: (memory: Memory) => memory.sync(at, { token }),
  again: (memory: Memory) => memory.sync(undefined, { token }),
});

/** What a client sends as it is. */
const post = ({ at, token }: Served, body: string | Buffer) =>
  fetch(at, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: typeof body === 'string' ? new Uint8Array(gzipSync(body)) : new Uint8Array(body),
  });

describe('a server as one more replica', () => {
  it('[Y-1] [Y-2] [H-1] two laptops and a server have one memory; what is decided twice is on all three until it is settled', async (test) => {
    const there = await served(test, await engine.open({ writer: { author: 'Seo' } }));
    const { first, again } = syncing(there);
    const [kim, lee] = [
      await sqlite.open({ writer: { author: 'Kim' } }),
      await sqlite.open({ writer: { author: 'Lee' } }),
    ];
    await there.memory.mama.save({ topic: 'db', decision: '한 파일', evidence: ['회의록'] });
    await kim.mama.save({ topic: '인증:토큰', decision: 'JWT', strength: 'lock', date: '2026-01-01' });
    const heard = await first(kim);
    assert.deepEqual(heard?.came, [{ author: 'Seo', records: 2 }]);
    assert.deepEqual(
      heard?.newcomers.map(({ authors, decisions }) => [authors, decisions]),
      [[['Seo'], 1]],
    );
    await lee.mama.save({ topic: '인증:토큰', decision: 'opaque tokens', date: '2026-02-01' });
    assert.equal((await first(lee))?.decidedTwice.length, 1);
    assert.equal((await again(kim))?.decidedTwice.length, 1);
    const all = [kim, lee, there.memory];
    for (const memory of all) {
      assert.deepEqual(await shown(memory), await shown(kim));
      assert.equal((await memory.decision.list({ filter: 'is:forked' })).decisions.length, 1);
      assert.deepEqual((await memory.inspect()).problems, []);
    }
    await there.memory.decision.settle({ topic: '인증:토큰', text: 'both', reasoning: 'as agreed' });
    for (const memory of [kim, lee])
      assert.deepEqual(
        (await again(memory))?.settled.map(({ text, author }) => [text, author]),
        [['both', 'Seo']],
      );
    for (const memory of [kim, lee]) {
      assert.equal((await again(memory))?.said, 0, 'the same again says nothing');
      assert.deepEqual(await shown(memory), await shown(there.memory));
    }
  });

  it('[Y-5] where only records were added, they alone go over the wire, both ways', async (test) => {
    const there = await served(test, await engine.open());
    const { first, again } = syncing(there);
    const [kim, lee] = [await sqlite.open(), await sqlite.open()];
    for (let at = 0; at < 5; at++) await kim.mama.save({ topic: `t${at}`, decision: `decision ${at}` });
    await first(kim);
    await first(lee);
    const told: string[] = [];
    const { sendFacts, takeFacts } = there.memory;
    there.memory.sendFacts = async (after) => {
      const text = await sendFacts(after);
      told.push(text);
      return text;
    };
    const taken: string[] = [];
    there.memory.takeFacts = async (sent) => {
      for await (const piece of sent) taken.push(`${piece}`);
      return takeFacts(sent);
    };
    await lee.mama.save({ topic: 'new', decision: 'of Lee', evidence: ['seen'] });
    assert.equal((await again(lee))?.said, 2);
    assert.equal(taken.join('').trim().split('\n').length, 2);
    assert.deepEqual((await again(kim))?.came, [{ author: '', records: 2 }]);
    assert.deepEqual(
      told.map((text) => text.trim().split('\n').length - 1),
      [0, 2],
    );
    await there.memory.rename({ from: 't0', to: 't00' });
    await lee.rename({ from: 'new', to: 'newer' });
    for (const memory of [kim, lee, kim]) await again(memory);
    for (const memory of [kim, lee]) assert.deepEqual(await shown(memory), await shown(there.memory));
  });

  it('[Y-1] [Y-5] what is deleted here while the server is asked is said, too', async (test) => {
    const there = await served(test, await engine.open());
    const { first, again } = syncing(there);
    const [kim, lee] = [await sqlite.open(), await sqlite.open()];
    const { id } = await kim.mem.save({ title: 'note', content: 'of Kim' });
    for (const memory of [kim, lee]) await first(memory);
    await again(kim);
    await kim.mama.save({ topic: 'db', decision: 'SQLite' });
    const { sendFacts } = there.memory;
    there.memory.sendFacts = async (after) => {
      there.memory.sendFacts = sendFacts;
      await kim.delete({ ref: id });
      return sendFacts(after);
    };
    for (const memory of [kim, kim, lee]) await again(memory);
    assert.deepEqual(await shown(lee), await shown(kim));
  });

  it('[Y-1] a key of two notes, which one of them loses, is lost everywhere', async (test) => {
    const there = await served(test, await engine.open());
    const { first, again } = syncing(there);
    const [kim, lee] = [await sqlite.open(), await sqlite.open()];
    for (const memory of [kim, lee]) await first(memory);
    const note = { title: 'note', topic_key: 'k' };
    await kim.mem.save({ ...note, content: 'of Kim' });
    const { id } = await lee.mem.save({ ...note, content: 'of Lee' });
    for (const memory of [kim, lee, kim, lee]) await again(memory);
    await lee.delete({ ref: id });
    for (const memory of [lee, kim, lee]) await again(memory);
    for (const memory of [kim, lee]) assert.deepEqual(await shown(memory), await shown(there.memory));
  });

  it('[Y-1] two servers are brought together as two laptops are', async (test) => {
    const [one, other] = [await served(test, await engine.open()), await served(test, await engine.open())];
    await one.memory.mama.save({ topic: 'auth', decision: 'JWT' });
    await other.memory.mama.save({ topic: 'auth', decision: 'cookies' });
    const said = await other.memory.sync(one.at, { token: one.token });
    assert.equal(said?.decidedTwice.length, 1);
    const laptop = await sqlite.open();
    await syncing(other).first(laptop);
    for (const { memory } of [one, other]) assert.deepEqual(await shown(memory), await shown(laptop));
  });

  it('[Y-3] [Y-7] what was blanked or deleted on a laptop is gone on the server, and from it on all', async (test) => {
    const there = await served(test, await engine.open());
    const { first, again } = syncing(there);
    const [kim, lee] = [await sqlite.open(), await sqlite.open()];
    const { id } = await kim.mama.save({ topic: 'db', decision: '암호는 hunter2-key 이다' });
    const note = await kim.mem.save({ title: 'server', content: 'cellar-10-key' });
    for (const memory of [kim, lee]) await first(memory);
    await kim.redact(id, 'hunter2-key');
    await kim.delete({ ref: note.id, hard_delete: true });
    for (const memory of [kim, lee]) await again(memory);
    for (const memory of [kim, lee, there.memory]) {
      assert.doesNotMatch((await exported(memory)).join('\n'), /hunter2|cellar-10/);
      assert.deepEqual((await memory.inspect()).problems, []);
    }
    assert.match((await exported(there.memory)).join('\n'), /암호는/);
  });

  it('[H-2] [Y-8] a token without the right, of another workspace or unknown is refused in words, and learns nothing', async (test) => {
    const there = await served(test, await engine.open());
    await there.memory.mama.save({ topic: 'db', decision: 'One file' });
    const kim = await sqlite.open();
    await kim.mama.save({ topic: 'own', decision: 'of Kim' });
    const { server, at } = there;
    for (const [token, code, said] of [
      [server.tokens.all, 'unauthorized', 'a token that may sync, found one that may only write'],
      [server.tokens.other, 'not_found', 'Expected a workspace of this token'],
      ['prec_unknown', 'unauthorized', 'unknown or has expired'],
      [undefined, 'unauthorized', 'precedent token add NAME --sync'],
    ] as const)
      await refuses(kim.sync(at, { token }), code, said);
    assert.equal((await kim.decision.list({})).decisions.length, 1);
    assert.equal((await there.memory.decision.list({})).decisions.length, 1);
    assert.equal((await kim.inspect()).synced, undefined, 'it is not synced with it');
    assert.deepEqual(server.audited.at(0)?.code, 'unauthorized');
  });

  it('[Y-1] a server that ends before, or after, it took something in loses nothing and has nothing twice', async (test) => {
    const there = await served(test, await engine.open());
    const { first, again } = syncing(there);
    const [kim, lee] = [await sqlite.open(), await sqlite.open()];
    for (const memory of [kim, lee]) await first(memory);
    const { takeFacts } = there.memory;
    for (const isTaken of [false, true]) {
      await kim.mama.save({ topic: 'auth', decision: `version ${isTaken}`, evidence: ['seen'] });
      await kim.mem.save({ title: 'note', content: `note ${isTaken}` });
      there.memory.takeFacts = async (sent) => {
        if (isTaken) await takeFacts(sent);
        throw new Error('ended');
      };
      await refuses(again(kim), 'unavailable', 'Something unforeseen');
      there.memory.takeFacts = takeFacts;
      for (const memory of [kim, lee, kim]) await again(memory);
    }
    assert.equal((await again(kim))?.said, 0);
    for (const memory of [lee, there.memory]) assert.deepEqual(await shown(memory), await shown(kim));
  });

  it('[Y-8] [Z-5] what a stranger with the right sends is taken in only where it could have been saved; rubbish is refused', async (test) => {
    const there = await served(test, await engine.open());
    const { id } = await there.memory.mama.save({ topic: 'db', decision: 'One file', strength: 'lock' });
    const good = {
      ...{ f: 1, k: 'decision', id: 'foreign-1', at: 1_760_000_000_000, by: ['Mal', 'h', 'c', 's'] },
      ...{ topic: 'x', basedOn: null, withdrawn: 0, reasoning: null },
      text: 'A token ghp_abcdefghijklmnopqrstuvwxyz0123456789',
      ...{ strength: 'normal', scope: 'x', confidence: 0.5, revisit: null, files: null },
    };
    const bad = [
      { text: 'a\u0000b' },
      { strength: 'super' },
      { files: '!x\n../../etc' },
      { id: '../../x' },
      { by: 'Kim' },
      { k: 'nonsense' },
      { f: newestFormat() + 1 },
      { id, text: 'Another text under the id of a lock' },
    ].map((each, n) => ({ ...good, id: `bad-${n}`, ...each }));
    const lines = [good, ...bad].map((fact) => `${JSON.stringify(fact)}\n`).join('');
    const { warnings } = (await (await post(there, `${lines}not a fact\n`)).json()) as { warnings: string[] };
    // What two newer programs wrote is said once.
    assert.equal(warnings.length, bad.length, warnings.join('\n'));
    const { decisions } = await there.memory.decision.list({});
    assert.deepEqual(decisions.map(({ text }) => text).sort(), [
      'A token [masked: GitHub token]',
      'One file',
    ]);
    assert.deepEqual((await there.memory.inspect()).problems, []);
    for (const [body, status] of [
      [Buffer.from('not compressed'), 400],
      [gzipSync(Buffer.alloc(80_000_000)), 400],
      [Buffer.alloc(5_000_000), 413],
    ] as const)
      assert.equal((await post(there, body)).status, status);
  });

  it('[Y-8] a server that lies is no server: another program, a redirection, a name that is a path, words that a terminal obeys', async (test) => {
    let asked = 0;
    let answer = (_: ServerResponse) => {};
    const server = createServer((request, response) => {
      if (request.url?.endsWith('/me')) return response.end('{"workspaces":["shop"]}');
      asked++;
      answer(response);
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    test.after(() => server.close().closeAllConnections());
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1/shop/sync`;
    const kim = await sqlite.open();
    const told = (machine: string, rest = '') =>
      `${JSON.stringify({ machine, after: '1.x', isWhole: true })}\n${rest}`;
    const lies: [(response: ServerResponse) => unknown, ErrorCode, string][] = [
      [(response) => response.end('<html>'), 'unavailable', 'another program'],
      [(response) => response.writeHead(302, { location: address }).end(), 'unavailable', 'another program'],
      [(response) => response.end(told('../../etc')), 'unavailable', 'another program'],
      [
        (response) => response.writeHead(403).end('{"error":{"message":"\\u001b[31mno"}}'),
        'unauthorized',
        '\\u001b[31mno',
      ],
      [(response) => response.destroy(), 'unavailable', 'found none that answers'],
    ];
    for (const [act, code, said] of lies) {
      answer = act;
      await refuses(kim.sync(address, { token: 'prec_x' }), code, said);
    }
    assert.equal(asked, lies.length, 'a redirection is not followed');
    answer = (response) => response.end(told('m-ok', 'not a fact\n'));
    const heard = await kim.sync(address);
    assert.match(heard?.warnings.join() ?? '', /is not a fact/);
    const packed = gzipSync(told('m-ok', `${randomBytes(12_000_000).toString('hex')}\n`), { level: 1 });
    answer = (response) => response.setHeader('content-encoding', 'gzip').end(packed);
    const all = await (await sqlite.open()).sync(address);
    assert.match(all?.warnings.join() ?? '', /is not a fact/, 'a large one is read to its end');
    answer = (response) => {
      const headers = { 'content-encoding': 'gzip', 'content-length': packed.length };
      response.writeHead(200, headers).write(packed.subarray(0, 1000), () => response.destroy());
    };
    await refuses(kim.sync(address), 'unavailable', 'it broke off');
  });

  it('[Y-5] who begins a memory on a server that has others is told so, and how to join one; what is only tried makes none', async (test) => {
    const { run, folder } = workbench(test, 'here');
    const there = new Map<string, Memory>();
    const found = (name: string) => {
      const memory = there.get(name);
      return new Proxy(memory as Memory, {
        get: (target, key) => (key === 'close' ? async () => {} : Reflect.get(target, key)),
      });
    };
    const server = await serving(
      folder,
      { laptop: { access: 'sync' } },
      {
        source: {
          main: 'main',
          list: async () => {
            const all = [];
            for (const [name, memory] of there)
              if ((await memory.decision.list({})).decisions.length > 0) all.push(name);
            return all;
          },
          open: async (name) => {
            if (!there.has(name)) there.set(name, await sqlite.open());
            return found(name);
          },
        },
      },
    );
    test.after(() => server.close());
    const env = {
      PRECEDENT_TOKEN: server.tokens.laptop,
      PRECEDENT_DB: undefined,
      PRECEDENT_WORKSPACE: undefined,
    };
    const typed = async (who: string, ...words: string[]) => {
      const data = join(folder, who);
      const { stdout, stderr } = await run(words, {
        env: { ...env, PRECEDENT_AUTHOR: who, PRECEDENT_HOME: data, XDG_DATA_HOME: data },
        cwd: folder,
      });
      return (stdout + stderr).replace(/\s+/g, ' ');
    };
    const init = ['sync', '--init', server.url];
    await typed('Kim', '--workspace', 'tmp~hub', 'decide', '인증', 'Sessions');
    await typed('Kim', '--workspace', 'tmp~hub', 'decide', '인증', 'JWT', '--strength', 'lock');
    assert.match(
      await typed('Kim', '--workspace', 'tmp~hub', ...init, '--yes'),
      new RegExp(`! "tmp~hub" is new on ${server.url}: a memory of another name does not sync with it`),
    );
    assert.doesNotMatch(await typed('Kim', '--workspace', 'tmp~hub', 'sync'), /is new on/);
    const tried = await typed('Lee', '--workspace', 'tmp~hub', ...init, '--dry-run');
    assert.match(tried, /would send 0 facts .* new: http:\S+ Kim: 1 decision, 1 binding/);
    const files = existsSync(join(folder, 'Lee'))
      ? readdirSync(join(folder, 'Lee'), { recursive: true })
      : [];
    assert.deepEqual(
      files.filter((file) => `${file}`.endsWith('.db')),
      [],
    );
    const unnamed = await typed('Seo', 'decide', 'db', 'One file');
    const own = unnamed.match(/New workspace "(\S+)"/)?.[1] ?? 'default';
    assert.match(
      await typed('Seo', ...init, '--yes'),
      new RegExp(
        `Expected a memory "${own}" on ${server.url}, found none, but tmp~hub. To join one: precedent workspaces rename ${own} tmp~hub, then precedent sync --init ${server.url}. To begin another: precedent --workspace ${own} sync --init ${server.url}`,
      ),
    );
    assert.deepEqual((await there.get(own)?.decision.list({}))?.decisions, [], 'nothing was begun there');
    await typed('Lee', '--workspace', 'shop~d0', 'decide', 'db', 'One file');
    const joining = `others that this token reaches: tmp~hub to join one: precedent workspaces rename shop~d0 tmp~hub, then precedent sync --init ${server.url}`;
    for (const how of ['--dry-run', '--yes'])
      assert.match(await typed('Lee', '--workspace', 'shop~d0', ...init, how), new RegExp(joining));
    await typed('Lee', 'workspaces', 'rename', 'shop~d0', 'tmp~hub');
    assert.match(await typed('Lee', '--workspace', 'tmp~hub', 'sync', '--status'), /with "tmp~hub" on/);
    assert.match(await typed('Lee', '--workspace', 'tmp~hub', 'sync'), /2 records from Kim/);
    await typed('Lee', 'workspaces', 'rename', 'tmp~hub', 'third');
    assert.match(
      await typed('Lee', '--workspace', 'third', 'sync', '--dry-run'),
      /! "tmp~hub" there has 2 decisions of this memory ! "shop~d0" there has 1 decision of this memory ! "third" is new/,
    );
  });

  it('[Y-5] what several facts of a server wait for is kept once', async (test) => {
    const outcome = (id: string) =>
      `${JSON.stringify({ f: 1, k: 'outcome', id, at: 1, by: ['Mal', 'h', 'c', 's'], decision: 'not-here', outcome: 'failed', reason: id })}\n`;
    let asked = 0;
    const server = createServer((request, response) => {
      if (request.url?.endsWith('/me')) return response.end('{"workspaces":["shop"]}');
      asked++;
      const sent = { machine: 'm-server', after: `${asked}`, isWhole: asked === 1 };
      return response.end(`${JSON.stringify(sent)}\n${asked === 1 ? '' : outcome(`o${asked}`)}`);
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    test.after(() => server.close());
    const kim = await sqlite.open();
    await kim.sync(`http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1/shop/sync`);
    for (let time = 0; time < 2; time++) await kim.sync();
    const file = new DatabaseSync((await kim.inspect()).location);
    const { value } = file.prepare("select value from meta where key = 'sync_state'").get() ?? {};
    file.close();
    assert.deepEqual(JSON.parse(String(value)).awaited, ['not-here']);
  });

  it('[Y-5] what is typed: the address of a server, a token in the environment, and never a path for a folder', async (test) => {
    const there = await served(test, await engine.open({ writer: { author: 'Seo' } }));
    await there.memory.mama.save({ topic: 'db', decision: '한 파일' });
    const { run, folder } = workbench(test, 'here');
    const typed = async (token: string | undefined, ...words: string[]) => {
      const env = { PRECEDENT_TOKEN: token, PRECEDENT_AUTHOR: 'Kim', PRECEDENT_DB: undefined };
      const { code, stdout, stderr } = await run(['--workspace', 'shop', ...words], { env, cwd: folder });
      return { code, said: (stdout + stderr).replace(/\s+/g, ' ') };
    };
    const url = there.server.url;
    await typed(undefined, 'decide', 'auth', 'JWT');
    const would = await typed(undefined, 'sync', '--init', url, '--dry-run');
    assert.match(would.said, new RegExp(`would send 1 fact of workspace "shop" to "shop" on ${url}`));
    assert.match((await typed(undefined, 'sync', '--init', url, '--yes')).said, /Set PRECEDENT_TOKEN to one/);
    const done = await typed(there.token, 'sync', '--init', url, '--yes');
    assert.match(done.said, /1 record from Seo .* 1 fact workspace shop/);
    assert.match((await typed(there.token, 'sync', '--status')).said, /with "shop" on http.*, last on/);
    assert.match((await typed(there.token, 'sync')).said, /0 facts/);
    const ask = await typed(there.token, 'sync', '--init', url, '--ask', '--yes');
    assert.match(ask.said, /tokens decide who may sync/);
    const far = await typed(there.token, 'sync', '--init', 'http://memory.example', '--dry-run');
    assert.match(far.said, /not encrypted/);
    const path = await typed(there.token, 'sync', '--init', `${url}/shop`, '--dry-run');
    assert.match(path.said, new RegExp(`Expected a server without a path: ${url}, found`));
    for (const [bare, meant] of [
      ['127.0.0.1:7733', 'http://127.0.0.1:7733'],
      ['localhost:7733', 'http://localhost:7733'],
      ['memory.example:443', 'https://memory.example:443'],
    ] as const)
      assert.match(
        (await typed(there.token, 'sync', '--init', bare, '--yes')).said,
        new RegExp(`Expected "${meant}"`),
      );
    const weak = await typed(there.server.tokens.all, 'sync');
    assert.match(weak.said, /only write: sync\. Set PRECEDENT_TOKEN/);
    await there.server.close();
    assert.match((await typed(there.token, 'sync')).said, /Nothing is lost: the same command goes on/);
  });
});
