import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { openMemory } from '../src/index.ts';
import { openPostgres } from '../src/store/postgres/engine.ts';
import { optionsOf, postgres } from './support/engines.ts';
import { reasonOf, refuses } from './support/expect.ts';
import {
  holder,
  isWaitedFor,
  newDatabase,
  newWorkspace,
  query,
  queryIn,
  SERVER,
} from './support/postgres.ts';
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
    const ofRow = `where key = 'writer' and workspace = (select id from precedent.workspaces where name = $1)`;
    const row = () => query(`select ctid, xmin from precedent.all_meta ${ofRow}`, [workspace]);
    const first = await row();
    await turns(1);
    const old = await holder(SERVER, 'begin isolation level repeatable read', 'select 1 from pg_class');
    try {
      await turns(1_250);
      // Each version of a row that is updated stays for the old snapshot, and the next update walks them all.
      assert.deepEqual(await row(), first);
      const [{ count }] = await queryIn(
        workspace,
        `select count(*)::integer as count from meta where key like 'writer.%'`,
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

  it('[P-2] a schema of our name that holds anything else is theirs, and is left as it is', async () => {
    for (const object of [
      'table precedent.records (id integer)',
      'view precedent.records as select 1 as one',
      'materialized view precedent.seen as select 1 as one',
      'sequence precedent.counter',
      'type precedent.pair as (a integer)',
    ]) {
      const { db } = await newDatabase();
      await query('create schema precedent', [], db);
      await query(`create ${object}`, [], db);
      await refuses(openMemory({ db }), 'unavailable', 'left as they are', 'another database');
      assert.equal(await reasonOf(openMemory({ db })), 'foreign');
    }
  });

  it('[R-1] an upgrade takes its turn among the writers, and a save that waits behind it is refused', async () => {
    const place = await postgres.alone();
    const memory = await postgres.open(place);
    // As each of our transactions begins.
    const writer = await holder(place.db ?? '', 'begin', 'select max(name) from precedent.kysely_migration');
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
