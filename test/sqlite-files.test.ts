import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { type Kysely, sql } from 'kysely';
import { openMemory } from '../src/index.ts';
import type { Migrations } from '../src/store/engine.ts';
import { migrations } from '../src/store/migrations/migrations.ts';
import { openSqlite } from '../src/store/sqlite/engine.ts';
import { ddl } from '../src/store/sqlite/migrate.ts';
import { PATIENT } from './support/clock.ts';
import { scratch, toCome } from './support/engines.ts';
import { reasonOf, refuses } from './support/expect.ts';
import { IS_DEEP } from './support/part.ts';
import { settle } from './support/until.ts';

const run = promisify(execFile);
const PROCESS = join(import.meta.dirname, 'support', 'open-and-save.js');
const PROCESSES = IS_DEEP ? 30 : 6;
// So many at once on a busy machine take their time: how long one waits for the others is not what is tested.
const env = { ...process.env, NODE_OPTIONS: PATIENT };
const saveInAnotherProcess = async (file: string, name: string, count: number): Promise<string[]> =>
  JSON.parse((await run(process.execPath, [PROCESS, file, name, String(count)], { env })).stdout);

describe('SQLite files', () => {
  it(`${PROCESSES} processes may open a new file at once`, async () => {
    const file = join(scratch(), 'new', 'memory.db');
    const names = Array.from({ length: PROCESSES }, (_, n) => `process ${n}`);
    const ids = (await Promise.all(names.map((name) => saveInAnotherProcess(file, name, 1)))).flat();
    assert.equal(new Set(ids).size, PROCESSES);
    const memory = await openMemory({ db: file });
    const { versions } = await memory.decision.get({ id: ids[0] ?? '' });
    assert.deepEqual(versions.map((version) => version.text.replace(/ 0$/, '')).sort(), names.toSorted());
    assert.deepEqual((await memory.inspect()).problems, []);
    await memory.close();
  });

  it('two windows on one file at once lose nothing', async () => {
    const file = join(scratch(), '공유 메모리', 'memory.db');
    const both = await Promise.all([
      saveInAnotherProcess(file, 'left', 40),
      saveInAnotherProcess(file, 'right', 40),
    ]);
    const memory = await openMemory({ db: file });
    const { versions } = await memory.decision.get({ id: both[0]?.[0] ?? '' });
    assert.equal(versions.length, 80);
    assert.deepEqual(new Set(versions.map((version) => version.id)), new Set(both.flat()));
    await memory.close();
  });

  it('a reader holds up no writer, and sees one snapshot', async () => {
    const file = join(scratch(), 'memory.db');
    const memory = await openMemory({ db: file });
    await memory.mama.save({ topic: 't', decision: 'before' });
    const reader = new DatabaseSync(file, { readOnly: true });
    reader.exec('begin');
    const count = () => reader.prepare('select count(*) as n from decisions').get()?.n;
    assert.equal(count(), 1);
    await memory.mama.save({ topic: 't', decision: 'meanwhile' });
    assert.equal(count(), 1);
    reader.exec('commit');
    assert.equal(count(), 2);
    reader.close();
    await memory.close();
  });

  it('waits for another writer without blocking the event loop, and reads meanwhile', async (test) => {
    const file = join(scratch(), 'memory.db');
    const prepared = test.mock.method(DatabaseSync.prototype, 'prepare').mock;
    const memory = await openMemory({ db: file });
    const connection = prepared.calls[0]?.this as DatabaseSync;
    await memory.mama.save({ topic: 't', decision: 'A' });
    const other = new DatabaseSync(file);
    other.exec('begin immediate');
    let isSaved = false;
    const saving = memory.mama.save({ topic: 't', decision: 'B' }).finally(() => {
      isSaved = true;
    });
    await settle();
    assert.equal((await memory.mama.search({ query: 'A' })).total, 1, 'reads go on meanwhile');
    assert.equal(isSaved, false);
    other.exec('rollback');
    assert.equal((await saving).version, 2);
    // SQLite's own way of waiting stops the event loop.
    const { timeout } = connection.prepare('pragma busy_timeout').get() as { timeout: number };
    assert(timeout <= 20, `SQLite itself waits for ${timeout} ms`);
    other.close();
    await memory.close();
  });

  it('[D-9] what was acknowledged survives a power cut: every commit waits for the disk', async () => {
    const engine = await openSqlite(join(scratch(), 'memory.db'), () => {});
    const { rows } = await engine.transaction({ access: 'write', patience: 'usual' }, (db) =>
      sql<{ synchronous: number }>`pragma synchronous`.execute(db),
    );
    await engine.close();
    // 2 is FULL: https://www.sqlite.org/pragma.html#pragma_synchronous
    assert.deepEqual(rows, [{ synchronous: 2 }]);
  });

  it('a memory that was only read lets go of its files when it is closed', async () => {
    const db = join(scratch(), 'read.db');
    const first = await openMemory({ db });
    await first.mama.save({ topic: 'a', decision: 'b' });
    await first.close();
    const second = await openMemory({ db });
    await second.mama.search({ query: 'b' });
    await second.close();
    assert.equal(existsSync(`${db}-shm`), false);
  });

  it('[R-1] opening again is a no-op', async () => {
    const file = join(scratch(), 'memory.db');
    const first = await openMemory({ db: file });
    const { id } = await first.mama.save({ topic: 't', decision: 'A' });
    await first.close();
    const before = readFileSync(file);
    const second = await openMemory({ db: file });
    assert.equal((await second.decision.get({ id })).decision.text, 'A');
    await second.close();
    assert(before.equals(readFileSync(file)), 'not one byte of the file has changed');
  });

  it('[R-1] a migration may rebuild a table without losing its children or letting an id come back', async () => {
    const file = join(scratch(), 'memory.db');
    const one: Migrations = {
      '1': {
        async up(db: Kysely<unknown>) {
          await sql`create table parent (id integer primary key autoincrement, name text)`.execute(db);
          await sql`create table meta (key text, value text)`.execute(db);
          await sql`create table child (id integer primary key,
            parent integer not null references parent(id) on delete cascade)`.execute(db);
        },
      },
    };
    const two: Migrations = {
      ...one,
      '2': {
        async up(db: Kysely<unknown>) {
          await sql`create table rebuilt (id integer primary key autoincrement, name text, more text)`.execute(
            db,
          );
          await sql`insert into rebuilt (id, name) select id, name from parent`.execute(db);
          await sql`drop table parent`.execute(db);
          await sql`alter table rebuilt rename to parent`.execute(db);
        },
      },
    };
    const ignore = () => {};
    await (await openSqlite(file, ignore, { migrations: one })).close();
    const database = new DatabaseSync(file);
    database.exec("insert into parent (name) values ('a'), ('b'), ('c')");
    database.exec('insert into child (parent) values (1), (2)');
    database.exec('delete from parent where id = 3');
    database.close();
    await (await openSqlite(file, ignore, { migrations: two })).close();
    const after = new DatabaseSync(file);
    assert.equal(after.prepare('select count(*) as n from child').get()?.n, 2);
    assert.equal(after.prepare("insert into parent (name) values ('d') returning id").get()?.id, 4);
    after.close();
  });

  it('[R-1] [Z-11] a view or a trigger of somebody else’s is named before an upgrade, and nothing is changed', async () => {
    for (const [made, kind] of [
      ['create view mine as select uid from records', 'view'],
      ['create trigger mine after insert on records begin select new.uid; end', 'trigger'],
    ] as const) {
      const file = join(scratch(), 'memory.db');
      await (await openMemory({ db: file })).close();
      const database = new DatabaseSync(file);
      database.exec(made);
      database.close();
      const upgrade = () => openSqlite(file, () => {}, { migrations: toCome(ddl, async () => {}) });
      await refuses(upgrade(), 'unavailable', `the ${kind} "mine"`, 'Nothing was changed');
      assert.equal(await reasonOf(upgrade()), 'altered');
      const again = new DatabaseSync(file);
      again.exec(`drop ${kind} mine`);
      again.close();
      await (await upgrade()).close();
    }
  });

  it('[R-1] a file of before the first release is refused and left as it is, and the message says how to take it along', async () => {
    const file = join(scratch(), 'memory.db');
    await (await openMemory({ db: file })).close();
    const database = new DatabaseSync(file);
    database.exec(
      "update kysely_migration set name = '0006-writers-changes-names' where name = '0016-memory'",
    );
    database.close();
    const before = readFileSync(file);
    for (const create of [true, false]) {
      await refuses(
        openMemory({ db: file, create }),
        'unavailable',
        'before the first release',
        '0006-writers-changes-names',
        'precedent export --format jsonl',
        'precedent import',
      );
    }
    assert(before.equals(readFileSync(file)));
  });

  it('a migration that fails leaves the file as it was', async () => {
    const file = join(scratch(), 'memory.db');
    const good: Migrations = {
      '1': {
        up: (db: Kysely<unknown>) =>
          db.schema.createTable('meta').addColumn('key', 'text').addColumn('value', 'text').execute(),
      },
    };
    const bad: Migrations = {
      ...good,
      '2': {
        async up(db: Kysely<unknown>) {
          await db.schema.createTable('b').addColumn('x', 'text').execute();
          throw new Error('half-way');
        },
      },
    };
    const log: string[] = [];
    await (await openSqlite(file, () => {}, { migrations: good })).close();
    await refuses(
      openSqlite(file, (message) => log.push(message), { migrations: bad }),
      'internal',
    );
    assert.match(log.join(), /half-way/);
    const database = new DatabaseSync(file);
    assert.equal(database.prepare("select count(*) as n from sqlite_master where name = 'b'").get()?.n, 0);
    database.close();
  });

  it('[L-2] a memory is kept as it was before it is upgraded: the older version goes on with it, and a redaction removes it', async () => {
    const folder = scratch();
    const file = join(folder, '기억.db');
    const memory = await openMemory({ db: file });
    const { id } = await memory.mama.save({ topic: '인증:토큰', decision: 'the secret is hunter2' });
    await memory.close();
    const log: string[] = [];
    const upgrade = (name: string) =>
      openSqlite(file, (message) => log.push(message), {
        migrations: { ...migrations(ddl), [name]: { up: async () => {} } },
      });
    const kept = () => readdirSync(folder).filter((name) => name.includes('.before-'));
    await (await upgrade('9998-next')).close();
    assert.deepEqual(kept(), ['기억.db.before-9998-next']);
    assert.equal(log.length, 1);
    assert.match(log.join(), /is upgraded .* kept in .*before-9998-next; to go back, restore it/);

    const back = await openMemory({ db: join(folder, kept()[0] ?? '') });
    assert.equal((await back.decision.get({ id })).decision.text, 'the secret is hunter2');
    await back.close();

    const engine = await upgrade('9998-next');
    assert.equal(log.length, 1, 'nothing is kept of what is up to date');
    await engine.scrub();
    await engine.close();
    assert.deepEqual(kept(), []);
  });

  it('a memory of a newer version is refused and left as it is', async () => {
    const file = join(scratch(), 'memory.db');
    await (await openMemory({ db: file })).close();
    const database = new DatabaseSync(file);
    database.exec("insert into kysely_migration values ('9999-future', '2030-01-01T00:00:00.000Z')");
    database.close();
    const before = readFileSync(file);
    await refuses(openMemory({ db: file }), 'unavailable', '9999-future', 'newer', 'Update Precedent');
    assert(before.equals(readFileSync(file)));
  });

  it('a file that is not ours is refused and left as it is', async () => {
    const folder = scratch();
    const text = join(folder, 'notes.txt');
    writeFileSync(
      text,
      'These are my notes, and they are longer than a database header would be. '.repeat(20),
    );
    const foreign = join(folder, 'foreign.db');
    const database = new DatabaseSync(foreign);
    database.exec('create table decisions (id text); insert into decisions values (1)');
    database.close();
    const before = [readFileSync(text), readFileSync(foreign)];
    await refuses(openMemory({ db: text }), 'unavailable', 'not a database');
    await refuses(openMemory({ db: foreign }), 'unavailable', 'another SQLite database');
    await refuses(openMemory({ db: folder }), 'unavailable', 'cannot be opened');
    assert.equal(await reasonOf(openMemory({ db: text })), 'foreign');
    assert.equal(await reasonOf(openMemory({ db: foreign })), 'foreign');
    assert.equal(await reasonOf(openMemory({ db: folder })), 'no_access');
    await refuses(openMemory({ db: ' ' }), 'invalid', 'db');
    assert.deepEqual([readFileSync(text), readFileSync(foreign)], before);
  });

  it('a memory is its owner’s alone', {
    skip: process.platform === 'win32' && 'no modes there',
  }, async () => {
    const folder = join(scratch(), 'made', 'for it');
    const file = join(folder, 'memory.db');
    const memory = await openMemory({ db: file });
    await memory.mama.save({ topic: 't', decision: 'A' });
    const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);
    assert.deepEqual([mode(folder), mode(file), mode(`${file}-wal`)], ['700', '600', '600']);
    await memory.close();
  });

  const needsUlimit = process.platform === 'win32' && 'needs ulimit';
  it('a full disk is said as such, and nothing of the save is there', { skip: needsUlimit }, async () => {
    const file = join(scratch(), 'memory.db');
    const memory = await openMemory({ db: file });
    await memory.mama.save({ topic: 't', decision: 'before' });
    await memory.close();
    const save = `ulimit -f 600; exec "$0" "$1" "${file}" full 2000`;
    const { stderr } = await run('sh', ['-c', save, process.execPath, PROCESS]).catch((error) => error);
    assert.match(String(stderr), /code: 'unavailable'/);
    const again = await openMemory({ db: file });
    assert.deepEqual((await again.inspect()).problems, []);
    await again.close();
  });

  it('a file that was replaced while it was open is not written to, and its log not mixed in', async () => {
    const file = join(scratch(), 'memory.db');
    const other = join(scratch(), 'backup.db');
    const backup = await openMemory({ db: other });
    await backup.mama.save({ topic: 'restored', decision: 'from the backup' });
    await backup.close();
    const memory = await openMemory({ db: file });
    for (let n = 0; n < 20; n++) await memory.mama.save({ topic: `t${n}`, decision: `lost ${n}` });
    renameSync(other, file);
    await refuses(memory.mama.save({ topic: 'x', decision: 'x' }), 'unavailable', 'replaced');
    await memory.close();
    const again = await openMemory({ db: file });
    assert.deepEqual((await again.inspect()).problems, []);
    assert.deepEqual(
      (await again.mama.search({})).results.map((row) => row.topic),
      ['restored'],
    );
    await again.close();
  });

  it('an index made by another version of the analysis is rebuilt', async () => {
    const file = join(scratch(), 'memory.db');
    const memory = await openMemory({ db: file });
    const { id } = await memory.mama.save({ topic: 't', decision: 'findable' });
    await memory.close();
    const database = new DatabaseSync(file);
    database.exec("update meta set value = '0' where key = 'analysis'; delete from search_text");
    database.close();
    const again = await openMemory({ db: file });
    assert.equal((await again.mama.search({ query: 'findable' })).results[0]?.id, id);
    assert.deepEqual((await again.inspect()).problems, []);
    await again.close();
  });

  it('[G-5] each chain is counted once, also where more have a word than are ranked', async () => {
    const file = join(scratch(), 'memory.db');
    const memory = await openMemory({ db: file });
    for (const decision of ['Cookies', 'Cookies, signed']) await memory.mama.save({ topic: 'a', decision });
    await memory.mama.save({ topic: 'b', decision: 'Tokens', evidence: ['cookies were lost'] });
    await memory.mem.save({ title: 'Cookies', content: 'seen' });
    // More hits than are ranked: what is ranked alone is not all that is counted.
    for (let n = 0; n < 120; n++) await memory.mama.save({ topic: `more:${n}`, decision: `Cookies ${n}` });
    assert.equal((await memory.mama.search({ query: 'cookies' })).total, 122);
    await memory.close();
  });

  it('doctor finds a chain without an active version, and a record missing from the index', async () => {
    const file = join(scratch(), 'memory.db');
    const memory = await openMemory({ db: file });
    const { id } = await memory.mama.save({ topic: 't', decision: 'A' });
    const database = new DatabaseSync(file);
    database.exec('update decisions set is_active = 0; delete from search_text');
    database.close();
    const { problems } = await memory.inspect();
    assert.equal(problems.length, 2);
    assert(problems[0]?.includes(id) && problems[1]?.includes('text index'), problems.join('\n'));
    await memory.close();
  });
});
