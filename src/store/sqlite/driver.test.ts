import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { CamelCasePlugin, Kysely, sql } from 'kysely';
import { nodeSqliteDialect } from './driver.ts';

interface Fruit {
  ripeFruit: { firstName: string; secondName: string | null };
}

function open() {
  const database = new DatabaseSync(':memory:');
  database.exec("create table ripe_fruit (first_name text); insert into ripe_fruit values ('pear')");
  const dialect = nodeSqliteDialect(database, { file: () => {}, schema: () => {} });
  const db = new Kysely<Fruit>({ dialect, plugins: [new CamelCasePlugin()] });
  return { db };
}

describe('statements to SQLite', () => {
  it('a statement names the columns that there are now', async () => {
    const { db } = open();
    const all = () => db.selectFrom('ripeFruit').selectAll().execute();
    assert.deepEqual(await all(), [{ firstName: 'pear' }]);
    for (const [change, expected] of [
      ['add column second_name text', { firstName: 'pear', secondName: null }],
      ['rename column second_name to last_name', { firstName: 'pear', lastName: null }],
      ['rename column last_name to second_name', { firstName: 'pear', secondName: null }],
    ] as const) {
      await sql.raw(`alter table ripe_fruit ${change}`).execute(db);
      assert.deepEqual(await all(), [expected]);
    }
    await db.destroy();
  });

  it('names are in snake case only where the plugin is', async () => {
    const { db } = open();
    const statement = sql`select ${sql.ref('ripeFruit.firstName')} from ${sql.table('ripeFruit')}`;
    assert.equal(statement.compile(db).sql, 'select "ripe_fruit"."first_name" from "ripe_fruit"');
    assert.equal(
      statement.compile(db.withoutPlugins()).sql,
      'select "ripeFruit"."firstName" from "ripeFruit"',
    );
    assert.deepEqual((await statement.execute(db)).rows, [{ firstName: 'pear' }]);
    await db.destroy();
  });

  it('rows come one by one as they come together', async () => {
    const { db } = open();
    const streamed: object[] = [];
    for await (const row of db.selectFrom('ripeFruit').selectAll().stream()) streamed.push(row);
    assert.deepEqual(streamed, [{ firstName: 'pear' }]);
    await db.destroy();
  });
});
