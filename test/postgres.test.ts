import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import pg from 'pg';
import { type Memory, type MemoryOptions, openMemory } from '../src/index.ts';
import { withWorkspaces } from '../src/memory/engines.ts';
import { openPostgres } from '../src/store/postgres/engine.ts';
import { stopClock } from './support/clock.ts';
import { optionsOf, postgres } from './support/engines.ts';
import { reasonOf, refuses } from './support/expect.ts';
import {
  cancelWaiting,
  inside,
  isWaitedFor,
  isWaiting,
  newDatabase,
  newWorkspace,
  query,
  queryIn,
  SERVER,
} from './support/postgres.ts';
import { type OnCommit, proxyTo } from './support/proxy.ts';
import { generator } from './support/random.ts';
import type { Scratch } from './support/raw-engine.ts';
import { until } from './support/until.ts';

/** As many clients of one memory, each with connections of its own, as so many programs have. */
async function clientsOf(count: number, workspace = newWorkspace(), db = SERVER): Promise<Memory[]> {
  return Promise.all(Array.from({ length: count }, () => postgres.open({ db, workspace })));
}

/** The server's address, changed. */
const address = (change: (url: URL) => void) => {
  const url = new URL(SERVER || 'postgres://x');
  change(url);
  return url.href;
};

const sound = async (memory: Memory) => assert.deepEqual((await memory.inspect()).problems, []);
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);

describe('many clients of one PostgreSQL', { ...optionsOf(postgres), concurrency: 2 }, () => {
  it('[P-3] twenty that save one topic at once make one chain, with one active version and twenty in all', async () => {
    const clients = await clientsOf(20);
    for (const round of numbers(3)) {
      const topic = `topic ${round}`;
      const saved = await Promise.all(
        clients.map((memory, n) =>
          memory.mama.save({ topic, decision: `Decision ${n}`, evidence: [`${n}`] }),
        ),
      );
      const [first] = clients as [Memory];
      const { versions } = await first.decision.get({ id: saved[0]?.id ?? '' });
      assert.deepEqual(
        versions.map(({ version }) => version),
        numbers(20).map((n) => n + 1),
      );
      assert.equal(versions.filter(({ isActive }) => isActive).length, 1);
      assert.equal(new Set(saved.map(({ id }) => id)).size, 20);
      assert.equal(new Set(saved.map(({ root_id }) => root_id)).size, 1);
      await sound(first);
    }
  });

  it('[P-3] twenty that save, relate and count the same things lose and double nothing', async () => {
    const clients = await clientsOf(20);
    const [first] = clients as [Memory];
    const same = await Promise.all(
      clients.map((memory) => memory.mem.save({ title: 'same', content: 'same text' })),
    );
    assert.equal(new Set(same.map(({ id }) => id)).size, 1, 'the same text is one observation');
    const { id } = same[0] as { id: number };
    assert.equal((await first.mem.getObservation({ id })).duplicate_count, 19);

    const keyed = await Promise.all(
      clients.map((memory, n) => memory.mem.save({ title: `t${n}`, content: `text ${n}`, topic_key: 'key' })),
    );
    assert.equal(new Set(keyed.map((each) => each.id)).size, 1);
    assert.equal((await first.mem.getObservation({ id: keyed[0]?.id ?? 0 })).revision, 20);

    const other = await first.mem.save({ title: 'other', content: 'other' });
    const related = await Promise.allSettled(
      clients.map((memory) => memory.mem.relate({ from_id: id, to_id: other.id, relation_type: 'because' })),
    );
    assert.equal(related.filter(({ status }) => status === 'fulfilled').length, 1);
    for (const result of related) {
      if (result.status === 'rejected') assert.equal(result.reason.code, 'conflict');
    }

    await Promise.all(clients.map((memory) => memory.keywords.record({ keywords: ['unity', 'mirror'] })));
    await sound(first);
  });

  it('[P-3] thirty that open a new workspace at once all find it made', async () => {
    const clients = await clientsOf(30);
    await Promise.all(
      clients.map((memory, n) => memory.mem.save({ title: `n${n}`, content: `content ${n}` })),
    );
    const [first] = clients as [Memory];
    assert.equal((await first.inspect()).records.observation, 30);
  });

  it('a reader sees one moment, however much is saved meanwhile, and makes no writer wait', async () => {
    const [reader, writer] = (await clientsOf(2)) as [Memory, Memory];
    for (const n of numbers(60)) await writer.mem.save({ title: `n${n}`, content: `content ${n}` });
    const lines: string[] = [];
    await reader.export('jsonl', async (line) => {
      lines.push(line);
      if (lines.length % 20 === 0)
        await writer.mem.save({ title: `later ${lines.length}`, content: `${lines.length}` });
    });
    assert.equal(lines.filter((line) => line.startsWith('{"table":"observations"')).length, 60);
  });
});

describe('workspaces of one PostgreSQL', { ...optionsOf(postgres), concurrency: 4 }, () => {
  it('[P-2] a workspace never sees the rows of another, in whatever order both are used', async () => {
    const [one, other] = [await postgres.open(postgres.place()), await postgres.open()];
    const [mine, theirs] = [
      await one.mama.save({ topic: 'auth', decision: 'Mine' }),
      await other.mama.save({ topic: 'auth', decision: 'Theirs' }),
    ];
    assert.deepEqual([mine.version, theirs.version], [1, 1]);
    await Promise.all(
      numbers(20).map(async (n) => {
        await one.mem.save({ title: 'note', content: `mine ${n}` });
        await other.mem.save({ title: 'note', content: `theirs ${n}` });
      }),
    );
    for (const [memory, word, foreign] of [
      [one, 'mine', 'theirs'],
      [other, 'theirs', 'mine'],
    ] as const) {
      assert.equal((await memory.mem.search({ query: word, limit: 50 })).total, 20);
      assert.equal((await memory.search({ query: foreign })).results.length, 0);
    }
    await refuses(other.decision.get({ id: mine.id }), 'not_found', mine.id);
  });

  it('[P-2] names that try to be more than a name are refused, and do nothing', async () => {
    const others = () => query("select nspname from pg_namespace where nspname not like 'pg_t%' order by 1");
    const before = await others();
    for (const workspace of [
      'a"; drop schema public; --',
      "a'; select 1; --",
      'a, public',
      'public.x"y',
      '"$user"',
      'a\0b',
      'a b',
      '../x',
      '',
      'x'.repeat(64),
      '벽'.repeat(22),
    ]) {
      await refuses(openMemory({ db: SERVER, workspace }), 'invalid', 'workspace name');
    }
    assert.deepEqual(await others(), before);
  });

  it('[P-2] every name that is allowed is a workspace of its own: cases, languages, what SQL means something by', async () => {
    const unique = newWorkspace();
    const names = ['A', 'a', '결제', 'select', '~', '-', 'github.com~acme~app'].map(
      (name) => `${unique}${name}`,
    );
    for (const workspace of names) {
      const memory = await postgres.open({ workspace });
      await memory.mama.save({ topic: 'name', decision: workspace });
      const { results } = await memory.mama.search({});
      assert.deepEqual(
        results.map(({ decision }) => decision),
        [workspace],
      );
      await memory.close();
    }
  });

  it('[P-2] a schema that holds something else is left as it is', async () => {
    const { db } = await newDatabase();
    await query('create schema precedent', [], db);
    await query('create table precedent.records (id integer)', [], db);
    await refuses(openMemory({ db }), 'unavailable', 'other tables', 'another database');
    assert.equal(await reasonOf(openMemory({ db })), 'foreign');
    assert.equal((await query("select 1 from pg_tables where schemaname = 'precedent'", [], db)).length, 1);
  });

  it('[P-1] a database that sorts by the rules of a language sorts a memory by bytes all the same', async () => {
    const database = newWorkspace();
    await query(
      `create database "${database}" template template0 locale_provider icu icu_locale 'en-US' locale 'C.UTF-8'`,
    );
    const db = address((url) => Object.assign(url, { pathname: `/${database}` }));
    const words = ['B', 'a', 'A', 'b'].map((word) => ({ word }));
    const [byRules] = await query("select 'a' < 'B' as sorted", [], db);
    assert.equal(byRules.sorted, true);
    const engine = await openPostgres(db, 'test', () => {});
    try {
      const sorted = await engine.transaction({ access: 'write', patience: 'usual' }, async (typed) => {
        const scratch: Scratch = typed;
        await scratch.schema.createTable('words').addColumn('word', 'text').execute();
        await scratch.insertInto('words').values(words).execute();
        return scratch.selectFrom('words').select('word').orderBy('word').execute();
      });
      assert.deepEqual(
        sorted.map(({ word }) => word),
        ['A', 'B', 'a', 'b'],
      );
    } finally {
      await engine.close();
      await query(`drop database "${database}"`);
    }
  });

  it('[R-1] a workspace of before the first release is refused, and left as it is', async () => {
    const { db = '', workspace = '' } = await postgres.alone();
    const memory = await postgres.open({ db, workspace });
    await memory.mem.save({ title: 'one', content: 'x' });
    await query(
      `update precedent.kysely_migration set name = '0015-based-on' where name = '0016-memory'`,
      [],
      db,
    );
    await refuses(
      openMemory({ db, workspace }),
      'unavailable',
      'before the first release',
      '0015-based-on',
      'precedent export --format jsonl',
    );
    const rows = await query('select min(name) as name from precedent.kysely_migration', [], db);
    assert.deepEqual(rows, [{ name: '0015-based-on' }]);
  });

  it('[P-3] a database in which nothing is may be opened by many at once', async () => {
    for (const _ of numbers(3)) {
      const { db } = await newDatabase();
      const clients = await Promise.all(numbers(6).map((n) => postgres.open({ db, workspace: `w${n % 2}` })));
      await Promise.all(clients.map((memory, n) => memory.mem.save({ title: `n${n}`, content: `${n}` })));
    }
  });

  it('[C-2] repair mends a text index that does not add up', async () => {
    const memory = await postgres.open(postgres.place());
    for (const n of numbers(5)) await memory.mem.save({ title: `note ${n}`, content: `content ${n}` });
    for (const damage of [
      'update search_totals set documents = 99, tokens = 1',
      'delete from search_totals',
      'delete from search_documents where seq = 2',
      'delete from search_postings where seq = 3',
      "insert into search_postings (term, seq, weight, length) values ('ghost', 999, 1, 1)",
    ]) {
      await queryIn(memory.workspace, damage);
      assert.notDeepEqual((await memory.inspect()).problems, [], damage);
      await memory.repair();
      assert.deepEqual((await memory.inspect()).problems, [], damage);
      assert.equal((await memory.mem.search({ query: 'note' })).total, 5);
    }
  });

  it('[P-6] a workspace of a newer version is refused, and left as it is', async () => {
    const { db = '', workspace = '' } = await postgres.alone();
    await postgres.open({ db, workspace });
    await query(
      `insert into precedent.kysely_migration (name, timestamp) values ('9999-future', 'x')`,
      [],
      db,
    );
    await refuses(openMemory({ db, workspace }), 'unavailable', 'newer', '9999-future');
  });

  it('[P-6] a workspace that is dropped while in use says so, and is created again when it is opened', async () => {
    const memory = await postgres.open(postgres.place());
    await withWorkspaces(
      SERVER,
      () => {},
      (there) => there.remove(memory.workspace),
    );
    await refuses(
      memory.mama.save({ topic: 't', decision: 'd' }),
      'unavailable',
      'dropped',
      'with the library, open the memory first',
    );
    const again = await postgres.reopen(memory);
    await again.mama.save({ topic: 't', decision: 'd' });
  });
});

describe('a PostgreSQL that cannot be used', { ...optionsOf(postgres), concurrency: 4 }, () => {
  const open = (db: string, options: Partial<MemoryOptions> = {}) =>
    postgres.open({ db, workspace: newWorkspace(), ...options });

  it('[P-6] a server that is down, a host or a database that is none, an address that cannot be read', async () => {
    const down = address((url) => Object.assign(url, { port: '1', password: 'hunter2' }));
    await refuses(open(down), 'unavailable', 'ECONNREFUSED', 'Check that it runs');
    await assert.rejects(open(down), (error: Error) => !error.message.includes('hunter2'));
    await refuses(open('postgres://nowhere.invalid/x'), 'unavailable', 'nowhere.invalid');
    await refuses(
      open(address((url) => Object.assign(url, { pathname: '/none' }))),
      'unavailable',
      'createdb',
    );
    for (const none of [
      'postgres://',
      'postgres://a:b:c/x',
      'postgres://a,,b/x',
      'postgres://u:12/x@host/db',
    ]) {
      await refuses(open(none), none === 'postgres://' ? 'unavailable' : 'invalid');
    }
  });

  it('[P-6] a user that is none, or may not make a workspace', async () => {
    await refuses(
      open(address((url) => Object.assign(url, { username: 'nobody-here' }))),
      'unavailable',
      'user',
    );
    const user = newWorkspace();
    await query(`create role "${user}" login`);
    try {
      await refuses(
        open(address((url) => Object.assign(url, { username: user }))),
        'unavailable',
        'CREATE on the database',
      );
    } finally {
      await query(`drop role "${user}"`);
    }
  });

  it('[P-6] a database that takes no writes says so, is read, and keeps nothing of a write', async () => {
    const memory = await postgres.open(postgres.place());
    await memory.mama.save({ topic: 't', decision: 'before' });
    const readOnly = address((url) => url.searchParams.set('options', '-c default_transaction_read_only=on'));
    const again = await postgres.reopen(memory, { db: readOnly });
    await refuses(again.mama.save({ topic: 't', decision: 'after' }), 'unavailable', 'takes no writes');
    assert.equal((await again.mama.search({ query: 'before' })).total, 1);
    await refuses(open(readOnly), 'unavailable', 'takes no writes');
  });

  it('[P-6] without pgvector everything works but meaning, which says what to install', async () => {
    const database = newWorkspace();
    await query(`create database "${database}" template template0`);
    const db = address((url) => Object.assign(url, { pathname: `/${database}` }));
    const embedder = { model: 'm', embed: async (texts: string[]) => texts.map(() => Float32Array.of(1, 0)) };
    const memory = await openMemory({ db });
    const meaning = await openMemory({ db, embedder });
    try {
      await memory.mama.save({ topic: 't', decision: 'cookies' });
      assert.equal((await memory.mama.search({ query: 'cookies' })).total, 1);
      assert.equal((await meaning.embed()).missing, 0, 'vectors are kept all the same');
      await refuses(meaning.mama.search({ query: 'cookies' }), 'unavailable', 'pgvector', 'create extension');
    } finally {
      await Promise.all([memory.close(), meaning.close()]);
      await query(`drop database "${database}"`);
    }
  });
});

describe('a connection that breaks', { ...optionsOf(postgres), concurrency: 1 }, () => {
  const behind = async () => {
    const url = new URL(SERVER);
    const proxy = await proxyTo(Number(url.port));
    url.port = String(proxy.port);
    return { proxy, memory: await postgres.open({ db: url.href, workspace: newWorkspace() }) };
  };

  it('[P-5] cut before or after a commit, a save is there once, and its caller hears that it is', async (test) => {
    const { proxy, memory } = await behind();
    // How long the commits take that are cut is the machine's business: the ten seconds do not run out meanwhile.
    stopClock(test);
    const ways: OnCommit[] = ['cut before', 'cut after', 'pass'];
    for (const n of numbers(30)) {
      proxy.next = ways[n % 3] as OnCommit;
      const saved = await memory.mama.save({ topic: 'auth', decision: `Decision ${n}`, evidence: [`${n}`] });
      assert.equal(saved.version, n + 1, `${ways[n % 3]}: not lost, not doubled`);
      proxy.next = ways[n % 3] as OnCommit;
      const note = await memory.mem.save({ title: `note ${n}`, content: `content ${n}` });
      assert.equal((await memory.mem.getObservation({ id: note.id })).duplicate_count, 0);
    }
    const { results } = await memory.mem.search({ limit: 50, query: 'note' });
    assert.equal(results.length, 30);
    await sound(memory);
  });

  it('[P-5] cut at any moment under load, what was acknowledged is there once, and no caller hears of it', async (test) => {
    const { proxy, memory } = await behind();
    stopClock(test);
    const random = generator(9);
    // After so much has gone through, not after so long: a busy machine gets just as far between two cuts.
    proxy.cutAfter = () => 1 + Math.floor(random() * 120);
    const acknowledged: number[] = [];
    await Promise.all(
      numbers(4).map(async (client) => {
        for (const n of numbers(30)) {
          const { id } = await memory.mem.save({
            title: `note ${client}`,
            content: `content ${client} ${n}`,
          });
          acknowledged.push(id);
        }
      }),
    );
    proxy.cutAfter = undefined;
    assert(proxy.cuts > 20, `${proxy.cuts} cuts`);
    assert.equal(new Set(acknowledged).size, 120);
    for (const id of acknowledged) {
      assert.equal((await memory.mem.getObservation({ id })).duplicate_count, 0);
    }
    assert.equal((await memory.inspect()).records.observation, 120);
    await sound(memory);
  });

  it('[P-5] a commit that the server answers with a rollback is not acknowledged', async () => {
    const engine = await openPostgres(SERVER, newWorkspace(), () => {});
    try {
      const saving = engine.transaction({ access: 'write', patience: 'usual' }, async (db) => {
        // After an error, PostgreSQL commits nothing more of a transaction, whoever passes over the error.
        await sql`select 1 / 0`.execute(db).catch(() => {});
      });
      await assert.rejects(saving, /a statement had failed before the commit/);
    } finally {
      await engine.close();
    }
  });

  it('a memory holds ten connections at most, however much is asked of it at once', async () => {
    const { proxy, memory } = await behind();
    await Promise.all(
      numbers(80).map((n) =>
        n % 2 === 0
          ? memory.mem.save({ title: `n${n}`, content: `${n}` })
          : memory.mem.search({ query: 'n1' }),
      ),
    );
    assert(proxy.most > 1 && proxy.most <= 10, `${proxy.most}`);
    assert.equal((await memory.inspect()).records.observation, 40);
  });

  it('[P-5] an export or import that is cut says so, instead of writing or reading the same twice', async () => {
    const { proxy, memory } = await behind();
    for (const n of numbers(60)) await memory.mem.save({ title: `note ${n}`, content: `content ${n}` });
    const lines: string[] = [];
    const cutAfter = (count: number) => (line: string) => {
      lines.push(line);
      if (lines.length === count) proxy.cut();
    };
    await refuses(memory.export('jsonl', cutAfter(40)), 'unavailable', 'incomplete');
    assert.equal(lines.filter((line) => line.startsWith('{"precedent"')).length, 1);
    lines.length = 0;
    await memory.export('jsonl', (line) => lines.push(line));

    const target = await behind();
    function* cutting() {
      for (const [n, line] of lines.entries()) {
        if (n === 90) target.proxy.cut();
        yield line;
      }
    }
    await refuses(target.memory.import(cutting()), 'unavailable', 'nothing was imported');
    await target.memory.import(lines);
    assert.equal((await target.memory.inspect()).records.observation, 60);
  });

  it('[P-5] when so many writers came after a lost commit that its mark is not kept, it says that it does not know', async () => {
    const { proxy, memory } = await behind();
    await memory.mem.save({ title: 'first', content: 'first' });
    proxy.beforeCut = () =>
      queryIn(
        memory.workspace,
        `insert into meta (key, value) select 'writer.000000000009999', 'another|' || split_part(value, '|', 2)
          from meta where key like 'writer.%' order by key desc limit 1`,
      );
    proxy.next = 'cut before';
    await refuses(
      memory.mem.save({ title: 'second', content: 'second' }),
      'unavailable',
      'Look before you save again',
    );
    await memory.mem.save({ title: 'third', content: 'third' });
    assert.equal((await memory.inspect()).records.observation, 2);
  });

  it('[P-5] a caller comes after one whose commit could not be cleared up, and finds a sound connection', async () => {
    const { proxy, memory } = await behind();
    await memory.mem.save({ title: 'first', content: 'first' });
    const holder = new pg.Client({ connectionString: SERVER });
    await holder.connect();
    // Another waits for the turn before the commit is cut, and has it until the one that looks for it gives up.
    for (const each of [...inside(memory.workspace), 'begin']) await holder.query(each);
    let held: Promise<unknown> | undefined;
    proxy.beforeCut = async () => {
      held = holder.query(`select 1 from meta where key = 'writer' for update`);
      await until(() => isWaiting(holder));
      // Who asks for a free lock does not always queue behind who waits for it.
      proxy.admission = held;
    };
    proxy.next = 'cut before';
    try {
      const refusal = refuses(
        memory.mem.save({ title: 'second', content: 'second' }),
        'unavailable',
        'Look before you save again',
      );
      await held;
      await until(() => isWaitedFor(holder));
      await cancelWaiting(holder);
      await refusal;
    } finally {
      await holder.end();
    }
    for (const n of numbers(12)) await memory.mem.save({ title: `after ${n}`, content: `${n}` });
    assert.equal((await memory.inspect()).records.observation, 13);
  });
});
