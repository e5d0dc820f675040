import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import pg from 'pg';
import { openMemory } from '../src/index.ts';
import type { Migrations } from '../src/store/engine.ts';
import { migrations } from '../src/store/migrations/migrations.ts';
import { parseAddress } from '../src/store/postgres/address.ts';
import { openPostgres } from '../src/store/postgres/engine.ts';
import { ddl } from '../src/store/postgres/migrate.ts';
import { shareServers } from '../src/store/postgres/servers.ts';
import { optionsOf, postgres } from './support/engines.ts';
import {
  holder,
  inside,
  newDatabase,
  newDatabaseWithTables,
  newWorkspace,
  query,
  queryIn,
  recordStatements,
  SERVER,
} from './support/postgres.ts';
import { statementsOf, waitsOf } from './support/statements.ts';

const openWith = (db: string, workspace: string, all?: Migrations) =>
  openPostgres(db, workspace, () => {}, all && { migrations: all });

/** Everything that the schema of a database consists of. */
async function schemaOf(db: string): Promise<string[]> {
  const rows = await query(
    `select 'column ' || table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable || ' '
        || coalesce(collation_name, '') || ' ' || coalesce(column_default, '') as line
      from information_schema.columns where table_schema = 'precedent'
    union all select 'constraint ' || conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid)
      from pg_constraint where connamespace = 'precedent'::regnamespace
    union all select 'index ' || indexdef from pg_indexes where schemaname = 'precedent'
    union all select 'view ' || viewname || ' ' || definition from pg_views where schemaname = 'precedent'
    union all select 'policy ' || tablename || ' ' || policyname || ' ' || qual from pg_policies where schemaname = 'precedent'`,
    [],
    db,
  );
  return rows.map(({ line }) => line).sort();
}

describe('many workspaces of one PostgreSQL', { ...optionsOf(postgres), concurrency: 1 }, () => {
  it('[R-1] a database that is made at once has the schema of one that came by every version', async () => {
    const [made, grown] = [(await newDatabase()).db, (await newDatabase()).db];
    const next: Migration = {
      up: (db) => db.schema.alterTable('records').addColumn('more', 'text').execute(),
    };
    const all = Object.entries({ ...migrations(ddl), '9999-more': next });
    await (await openWith(made, 'one', Object.fromEntries(all))).close();
    for (let count = 1; count <= all.length; count++)
      await (await openWith(grown, 'one', Object.fromEntries(all.slice(0, count)))).close();
    assert.deepEqual(await schemaOf(made), await schemaOf(grown));
    const names = await query('select name from precedent.kysely_migration order by name', [], made);
    assert.deepEqual(
      names.map(({ name }) => name),
      all.map(([name]) => name),
    );
  });

  it('[N-1] a migration runs once, and changes the rows of each workspace by themselves', async () => {
    const { db } = await newDatabaseWithTables();
    for (const workspace of ['one', 'two']) {
      const memory = await openMemory({ db, workspace, writer: { author: workspace } });
      await memory.mem.save({ title: 'same', content: `of ${workspace}` });
      await memory.close();
    }
    let shapes = 0;
    const next: Migrations[string] = {
      async up(tables) {
        shapes++;
        await tables.schema.alterTable('observations').addColumn('of', 'text').execute();
      },
      async rows(own) {
        // Over the rows of all, a subquery for one value would find two.
        await sql`update observations set "of" = (select author from writers where writers.id = observations.writer)`.execute(
          own,
        );
      },
    };
    const all = { ...migrations(ddl), '9999-of': next };
    for (const workspace of ['two', 'one', 'three']) await (await openWith(db, workspace, all)).close();
    assert.equal(shapes, 1);
    for (const workspace of ['one', 'two'])
      assert.deepEqual(await queryIn(workspace, 'select "of" from observations', [], db), [
        { of: workspace },
      ]);
  });

  it('[N-1] a second workspace is made without a change of the schema, in a few ways to the server and back', async () => {
    const { db } = await newDatabaseWithTables();
    await (await openWith(db, 'first')).close();
    const statements = await statementsOf(async () => (await openWith(db, 'second')).close());
    const texts = statements.map(({ text }) => text);
    assert.deepEqual(
      texts.filter((text) => /^\s*(create|alter|drop|lock)\b/i.test(text)),
      [],
    );
    const open = async () => (await openWith(db, 'third')).close();
    const made = await waitsOf(open);
    assert(made <= 8, `made in ${made} ways`);
    const opened = await waitsOf(open);
    assert(opened <= 2, `opened in ${opened} ways`);
  });

  it('[N-1] two dozen that are made at once all succeed', async () => {
    const { db } = await newDatabase();
    const opened = () =>
      Array.from({ length: 24 }, async (_, n) => (await openWith(db, `w${n % 12}`)).close());
    const statements = recordStatements();
    await Promise.all(opened());
    const [{ count }] = await query('select count(*)::integer as count from precedent.workspaces', [], db);
    assert.equal(count, 12);
    // Who waited for the one that made the tables makes nothing, and keeps nobody waiting.
    const changes = statements.filter((text) => /^\s*(create|alter|lock)\b/i.test(text));
    assert(changes.length > 100, `${changes.length} changes`);
    assert.deepEqual(
      changes.filter((text, n) => changes.indexOf(text) !== n),
      [],
    );
  });

  it('what is asked when a workspace is opened or listed is found by indexes, however many there are', async () => {
    const workspace = newWorkspace();
    await (await openWith(SERVER, workspace)).close();
    const statements = await statementsOf(async () => {
      const memory = await openMemory({ db: SERVER, workspace });
      await memory.inspect();
      await memory.close();
    });
    const asked = statements.filter(({ text }) => /pg_class|pg_depend|pg_namespace/.test(text));
    assert(asked.length >= 3, `${asked.length}`);
    const client = await holder(SERVER, ...inside(workspace), 'set enable_seqscan = off');
    try {
      for (const { text, values } of asked) {
        const { rows } = await client.query(`explain ${text}`, values);
        const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
        assert.doesNotMatch(plan, /Seq Scan on pg_(class|depend|type)/, text);
      }
    } finally {
      await client.end();
    }
  });

  for (const [when, on] of [
    ['while it commits', 'after insert on precedent.all_observations deferrable initially deferred'],
    ['by the last statement before', 'after update on precedent.all_meta'],
  ] as const)
    it(`[P-5] a node that is lost ${when} is not taken for a bug: the save is made once`, async () => {
      const { db } = await newDatabaseWithTables();
      const memory = await openMemory({ db });
      await query('create sequence precedent.cuts', [], db);
      // As a coordinator of Citus says it. The number survives the transaction, so that the next one passes.
      await query(
        `create function precedent.cut() returns trigger language plpgsql as $$ begin
        if nextval('precedent.cuts') = 1 then
          raise exception 'could not commit transaction for shard 109702 on at least one active node' using errcode = 'XX000';
        end if; return null; end $$`,
        [],
        db,
      );
      await query(
        `create constraint trigger cut ${on} for each row execute function precedent.cut()`,
        [],
        db,
      );
      try {
        const { id } = await memory.mem.save({ title: 'one', content: 'saved in spite of it' });
        assert.deepEqual(await query('select id from precedent.all_observations', [], db), [
          { id: String(id) },
        ]);
        const [{ last_value: cuts }] = await query('select last_value from precedent.cuts', [], db);
        assert(Number(cuts) >= 2);
      } finally {
        await memory.close();
      }
    });

  it('[C-1] what was redacted stands in no statistics of the planner either', async () => {
    const { db } = await newDatabaseWithTables();
    const memory = await openMemory({ db });
    const secret = 'secretzq81';
    const found = async () => {
      const rows = await query(
        `select attname from pg_stats where schemaname = 'precedent'
          and (most_common_vals::text like $1 or histogram_bounds::text like $1)`,
        [`%${secret}%`],
        db,
      );
      return rows.map(({ attname }) => attname);
    };
    try {
      const { id } = await memory.mem.save({ title: 'one', content: secret });
      for (let n = 0; n < 5; n++) await memory.mem.save({ title: `note ${n}`, content: `content ${n}` });
      await query('analyze precedent.all_observations, precedent.all_search_postings', [], db);
      assert.notDeepEqual(await found(), []);
      await memory.redact(String(id), secret);
      assert.deepEqual(await found(), []);
    } finally {
      await memory.close();
    }
  });
});

describe('a database that Citus distributes', { ...optionsOf(postgres), concurrency: 1 }, () => {
  /** A database that answers as one of Citus does, as far as it is asked before anything is distributed. */
  async function citus(
    group: number,
    propagated?: string,
  ): Promise<{ db: string; drop: () => Promise<unknown> }> {
    const database = newWorkspace();
    await query(`create database "${database}"`);
    const url = Object.assign(new URL(SERVER), { pathname: `/${database}` });
    const admin = await holder(
      url.href,
      'set allow_system_table_mods = on',
      'create table pg_catalog.pg_dist_local_group (groupid integer primary key)',
      `insert into pg_catalog.pg_dist_local_group values (${group})`,
      'create table pg_catalog.pg_dist_partition (logicalrelid regclass)',
      `create function pg_catalog.create_distributed_table(regclass, text, colocate_with text default null)
        returns void language sql as 'select'`,
      `create function pg_catalog.citus_total_relation_size(regclass, boolean) returns bigint language sql as 'select 12345'`,
      'insert into pg_catalog.pg_dist_partition values (0)',
      ...(propagated === undefined
        ? []
        : [`alter database "${database}" set citus.propagate_set_commands = '${propagated}'`]),
    );
    await admin.end();
    return { db: url.href, drop: () => query(`drop database "${database}" with (force)`) };
  }
  const refusal = async (db: string) => {
    try {
      await (await openMemory({ db, workspace: 'w' })).close();
      return undefined;
    } catch (error) {
      return error as Error & { code: string };
    }
  };

  it('[P-7] is refused on a worker and without the setting that turns need, each with what to do', async () => {
    for (const [group, propagated, pattern] of [
      [3, 'local', /coordinator of Citus, found one of its workers/],
      [0, undefined, /alter database … set citus.propagate_set_commands = 'local'/],
      [0, 'none', /found none\. As its owner/],
    ] as const) {
      const { db, drop } = await citus(group, propagated);
      const error = await refusal(db);
      assert.equal(error?.code, 'unavailable');
      assert.match(error.message, pattern);
      const client = new pg.Client({ connectionString: db });
      await client.connect();
      assert.equal(
        (await client.query("select 1 from pg_namespace where nspname = 'precedent'")).rowCount,
        0,
      );
      await client.end();
      await drop();
    }
  });

  it('[P-7] of several hosts a worker is passed over, as a standby is', async () => {
    const { db, drop } = await citus(3, 'local');
    const { host, pathname } = new URL(db);
    const url = `postgres://postgres@${host},${host}${pathname}`;
    const error = await refusal(url);
    assert.match(String(error?.message), /takes no writes on any host/);
    await drop();
  });

  it('[N-2] workspaces that share a connection read and write each their own', async () => {
    const { db, drop } = await citus(0, 'local');
    const { leave } = shareServers(parseAddress(db), 1);
    const memories = await Promise.all(['one', 'other'].map((workspace) => openMemory({ db, workspace })));
    try {
      const titles = [];
      // A server keeps the plan of a statement that it has run five times.
      for (let round = 0; round < 7; round++)
        for (const memory of memories) {
          await memory.mem.save({ title: `${memory.workspace} ${round}`, content: 'c' });
          titles.push((await memory.mem.list({ limit: 1 })).results[0]?.title);
        }
      assert.deepEqual(
        titles,
        Array.from({ length: 14 }, (_, at) => `${memories[at % 2]?.workspace} ${Math.floor(at / 2)}`),
      );
    } finally {
      await Promise.all(memories.map((memory) => memory.close()));
      await leave();
      await drop();
    }
  });

  it('[P-7] counts what is on its nodes, and leaves statistics to them', async () => {
    const { db, drop } = await citus(0, 'local');
    const memory = await openMemory({ db, workspace: 'w' });
    try {
      await memory.mem.save({ title: 't', content: 'c' });
      const lines: string[] = [];
      await memory.export('jsonl', (line) => void lines.push(line));
      const other = await openMemory({ db, workspace: 'other' });
      const statements = await statementsOf(() => other.import(lines));
      assert(statements.length > 10);
      const texts = statements.map(({ text }) => text.split(' ', 1)[0]);
      assert(!texts.includes('analyze'), texts.join(' '));
      assert.equal((await other.inspect()).records.observation, 1);
      await other.close();
    } finally {
      await memory.close();
      await drop();
    }
  });
});
