import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Migration } from 'kysely/migration';
import pg from 'pg';
import { openMemory } from '../src/index.ts';
import type { Migrations } from '../src/store/engine.ts';
import { migrations } from '../src/store/migrations/migrations.ts';
import { openPostgres } from '../src/store/postgres/engine.ts';
import { ddl } from '../src/store/postgres/migrate.ts';
import { optionsOf, postgres } from './support/engines.ts';
import { holder, isWaitedFor, newWorkspace, query, SERVER } from './support/postgres.ts';
import { statementsOf, waitsOf } from './support/statements.ts';
import { until } from './support/until.ts';

const openWith = (workspace: string, all?: Migrations) =>
  openPostgres(SERVER, workspace, () => {}, all && { migrations: all });

/** Everything that a schema consists of, without its name. */
async function schemaOf(workspace: string): Promise<string[]> {
  const rows = await query(
    `select 'column ' || table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable || ' '
        || coalesce(collation_name, '') || ' ' || coalesce(column_default, '') || ' ' || is_identity as line
      from information_schema.columns where table_schema = $1
    union all select 'constraint ' || conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid)
      from pg_constraint where connamespace = $1::regnamespace
    union all select 'index ' || indexdef from pg_indexes where schemaname = $1`,
    [workspace],
  );
  const plain = (line: string) => line.replaceAll(`"${workspace}".`, '').replaceAll(workspace, 'it');
  return rows.map(({ line }) => plain(line)).sort();
}

/** Two workspaces whose making takes different locks. */
async function apart(): Promise<[string, string]> {
  const place = async (name: string) =>
    (await query('select hashtext($1) & 7 as place', [name]))[0].place as number;
  const one = newWorkspace();
  for (;;) {
    const other = newWorkspace();
    if ((await place(other)) !== (await place(one))) return [one, other];
  }
}

describe('many workspaces of one PostgreSQL', { ...optionsOf(postgres), concurrency: 1 }, () => {
  it('[R-1] a workspace that is made at once has the schema of one that came by every version', async () => {
    const [made, grown] = [newWorkspace(), newWorkspace()];
    const next: Migration = {
      up: (db) => db.schema.alterTable('records').addColumn('more', 'text').execute(),
    };
    const all = Object.entries({ ...migrations(ddl), '9999-more': next });
    await (await openWith(made, Object.fromEntries(all))).close();
    for (let count = 1; count <= all.length; count++)
      await (await openWith(grown, Object.fromEntries(all.slice(0, count)))).close();
    assert.deepEqual(await schemaOf(made), await schemaOf(grown));
    for (const table of ['meta', 'search_totals']) {
      const rows = (workspace: string) => query(`select * from "${workspace}".${table} order by 1`);
      assert.deepEqual(await rows(made), await rows(grown), table);
    }
    const names = await query(`select name from "${made}".kysely_migration order by name`);
    assert.deepEqual(
      names.map(({ name }) => name),
      all.map(([name]) => name),
    );
  });

  it('a workspace is made in a few ways to the server and back, and opened in fewer', async () => {
    const workspace = newWorkspace();
    const open = async () => (await openWith(workspace)).close();
    const made = await waitsOf(open);
    assert(made <= 15, `made in ${made} ways`);
    const opened = await waitsOf(open);
    assert(opened <= 2, `opened in ${opened} ways`);
  });

  it('what is asked when a workspace is opened or listed is found by indexes, however many there are', async () => {
    const workspace = newWorkspace();
    await (await openWith(workspace)).close();
    const statements = await statementsOf(async () => {
      const memory = await openMemory({ db: SERVER, workspace });
      await memory.inspect();
      await memory.close();
    });
    const asked = statements.filter(({ text }) => /pg_class|pg_depend|pg_namespace/.test(text));
    assert(asked.length >= 3, `${asked.length}`);
    const client = await holder(SERVER, 'set enable_seqscan = off');
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

  it('who makes a workspace waits for nobody who makes another one', async () => {
    const [one, other] = await apart();
    const making = await holder(
      SERVER,
      'begin',
      'select pg_advisory_xact_lock_shared(1347568452)',
      `select pg_advisory_xact_lock(1347568452, hashtext('${one}') & 7)`,
    );
    try {
      await (await openWith(other)).close();
      const waiting = openWith(one);
      await until(() => isWaitedFor(making));
      await making.query('commit');
      await (await waiting).close();
    } finally {
      await making.end();
    }
  });

  it('[P-5] a node that is lost while it commits is not taken for a bug: the save is made once', async () => {
    const workspace = newWorkspace();
    const memory = await openMemory({ db: SERVER, workspace });
    await query(`create sequence "${workspace}".cuts`);
    // As a coordinator of Citus says it. The number survives the transaction, so that the next one passes.
    await query(`create function "${workspace}".cut() returns trigger language plpgsql as $$ begin
      if nextval('"${workspace}".cuts') = 1 then
        raise exception 'could not commit transaction for shard 109702 on at least one active node' using errcode = 'XX000';
      end if; return null; end $$`);
    await query(`create constraint trigger cut after insert on "${workspace}".observations
      deferrable initially deferred for each row execute function "${workspace}".cut()`);
    try {
      const { id } = await memory.mem.save({ title: 'one', content: 'saved in spite of it' });
      const rows = await query(`select id from "${workspace}".observations`);
      assert.deepEqual(rows.map((row) => Number(row.id)).length, 1);
      assert(id > 0);
      const [{ last_value: cuts }] = await query(`select last_value from "${workspace}".cuts`);
      assert.equal(Number(cuts), 2);
    } finally {
      await memory.close();
    }
  });

  it('[C-1] what was redacted stands in no statistics of the planner either', async () => {
    const workspace = newWorkspace();
    const memory = await openMemory({ db: SERVER, workspace });
    const secret = `secret${workspace.replace(/\W/g, '')}`;
    const stands = async () => {
      const rows = await query(
        `select attname from pg_stats where schemaname = $1
          and (most_common_vals::text like $2 or histogram_bounds::text like $2)`,
        [workspace, `%${secret}%`],
      );
      return rows.map(({ attname }) => attname);
    };
    try {
      const { id } = await memory.mem.save({ title: 'one', content: secret });
      for (let n = 0; n < 5; n++) await memory.mem.save({ title: `note ${n}`, content: `content ${n}` });
      await query(`analyze "${workspace}".observations, "${workspace}".search_postings`);
      assert.notDeepEqual(await stands(), []);
      await memory.redact(String(id), secret);
      assert.deepEqual(await stands(), []);
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
      assert.equal((await client.query("select 1 from pg_namespace where nspname = 'w'")).rowCount, 0);
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

  it('[P-7] counts what is on its nodes, and is not analysed in the transaction of an import', async () => {
    const { db, drop } = await citus(0, 'local');
    const memory = await openMemory({ db, workspace: 'w' });
    try {
      await memory.mem.save({ title: 't', content: 'c' });
      const lines: string[] = [];
      await memory.export('jsonl', (line) => void lines.push(line));
      const other = await openMemory({ db, workspace: 'other' });
      const statements = await statementsOf(() => other.import(lines));
      assert(statements.length > 10);
      assert.deepEqual(
        statements.filter(({ text }) => text.startsWith('analyze')),
        [],
      );
      assert.equal((await other.inspect()).records.observation, 1);
      await other.close();
    } finally {
      await memory.close();
      await drop();
    }
  });
});
