import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { openMemory } from '../src/index.ts';
import { migrations as all } from '../src/store/migrations/migrations.ts';
import { openPostgres } from '../src/store/postgres/engine.ts';
import { ddl } from '../src/store/postgres/migrate.ts';
import { optionsOf, postgres } from './support/engines.ts';
import { reasonOf, refuses } from './support/expect.ts';
import { cancelWaiting, holder, isWaitedFor, newWorkspace, query, SERVER } from './support/postgres.ts';
import { until } from './support/until.ts';

const withOptions = (options: string) => {
  const url = new URL(SERVER || 'postgres://x');
  url.searchParams.set('options', options);
  return url.href;
};

/** What others do and leave in the same database. */
describe('the surroundings of a PostgreSQL', { ...optionsOf(postgres), concurrency: 3 }, () => {
  it('[P-9] a save takes as long after a thousand others as after one, while somebody keeps an old snapshot', async () => {
    const workspace = newWorkspace();
    const engine = await openPostgres(SERVER, workspace, () => {});
    const turns = async (count: number) => {
      for (let n = 0; n < count; n++)
        await engine.transaction({ access: 'write', patience: 'usual' }, async () => {});
    };
    const row = () => query(`select ctid, xmin from "${workspace}".meta where key = 'writer'`);
    const first = await row();
    await turns(1);
    const old = await holder(SERVER, 'begin isolation level repeatable read', 'select 1 from pg_class');
    try {
      await turns(1_250);
      // Each version of a row that is updated stays for the old snapshot, and the next update walks them all.
      assert.deepEqual(await row(), first);
      const [{ count }] = await query(
        `select count(*)::integer as count from "${workspace}".meta where key like 'writer.%'`,
      );
      assert(count >= 1_000 && count <= 1_100, `${count} marks are kept`);
    } finally {
      await old.end();
      await engine.close();
    }
  });

  it('[D-9] a role that does without waiting for the disk does not lose what was acknowledged', async () => {
    for (const [given, wanted] of [
      ['off', 'on'],
      ['local', 'on'],
      ['on', 'on'],
      ['remote_apply', 'remote_apply'],
    ]) {
      const engine = await openPostgres(
        withOptions(`-c synchronous_commit=${given}`),
        newWorkspace(),
        () => {},
      );
      try {
        const { rows } = await engine.transaction({ access: 'write', patience: 'usual' }, (db) =>
          sql<{ is: string }>`select current_setting('synchronous_commit') as "is"`.execute(db),
        );
        assert.deepEqual(rows, [{ is: wanted }], given);
      } finally {
        await engine.close();
      }
    }
  });

  it('[P-6] a lock that is held on creating workspaces is named, with the process that holds it', async () => {
    const database = newWorkspace();
    await query(`create database "${database}"`);
    const url = new URL(SERVER);
    url.pathname = `/${database}`;
    const other = await holder(url.href, "set application_name to 'their tool'");
    try {
      const [{ pid }] = (await other.query('select pg_backend_pid() as pid')).rows;
      await other.query('select pg_advisory_lock(1347568452)');
      const refused = refuses(
        openMemory({ db: url.href }),
        'unavailable',
        'creating or upgrading',
        `server process ${pid}, their tool`,
        `pg_terminate_backend(${pid})`,
      );
      await until(() => isWaitedFor(other));
      await cancelWaiting(other);
      await refused;
    } finally {
      await other.end();
      await query(`drop database "${database}" with (force)`);
    }
  });

  it('[P-2] a view, a sequence or a type of others makes a schema theirs, and is named', async () => {
    for (const [object, name] of [
      ['view "$".records as select 1 as one', 'records'],
      ['materialized view "$".seen as select 1 as one', 'seen'],
      ['sequence "$".counter', 'counter'],
      [`type "$".memos as enum ('a')`, 'memos'],
      ['type "$".pair as (a integer)', 'pair'],
      ['domain "$".short as text', 'short'],
    ] as const) {
      const workspace = newWorkspace();
      await query(`create schema "${workspace}"`);
      await query(`create ${object.replace('$', workspace)}`);
      const opened = openMemory({ db: SERVER, workspace });
      await refuses(opened, 'unavailable', `"${name}"`, 'left as they are', '--workspace');
      assert.equal(await reasonOf(openMemory({ db: SERVER, workspace })), 'foreign');
    }
  });

  it('[P-6] what stands in the way of an upgrade is named, and nothing is changed', async () => {
    const next: Migration = { up: (db) => db.schema.createTable('notes').addColumn('id', 'text').execute() };
    const migrations = { ...all(ddl), '9999-notes': next };
    for (const [object, name] of [
      ['create view "$".notes as select 1 as one', 'notes'],
      [`create type "$".notes as enum ('a')`, 'notes'],
    ] as const) {
      const workspace = newWorkspace();
      await (await openMemory({ db: SERVER, workspace })).close();
      await query(object.replace('$', workspace));
      const upgrade = openPostgres(SERVER, workspace, () => {}, { migrations });
      await refuses(upgrade, 'unavailable', 'in the way', `"${name}"`);
      const rows = await query(`select name from "${workspace}".kysely_migration order by name`);
      assert.deepEqual(
        rows.map((row) => row.name),
        Object.keys(all(ddl)),
      );
    }
  });

  it('[R-1] an upgrade takes its turn among the writers, and a save that waits behind it is refused', async () => {
    const memory = await postgres.open(postgres.place());
    const turn = `select 1 from "${memory.workspace}".meta where key = 'writer' for update`;
    const writer = await holder(SERVER, 'begin', turn);
    try {
      const upgraded = postgres.upgrade(memory, async () => {});
      await until(() => isWaitedFor(writer));
      await writer.query('rollback');
      await upgraded;
    } finally {
      await writer.end();
    }
    await refuses(memory.mem.save({ title: 't', content: 'c' }), 'unavailable', 'newer version');
  });
});
