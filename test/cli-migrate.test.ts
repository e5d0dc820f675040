import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { migrations } from '../src/store/migrations/migrations.ts';
import { openPostgres } from '../src/store/postgres/engine.ts';
import { ddl } from '../src/store/postgres/migrate.ts';
import { optionsOf, postgres } from './support/engines.ts';
import { newWorkspace, query, SERVER } from './support/postgres.ts';
import { workbench } from './support/program.ts';

const NEWEST = Object.keys(migrations(ddl)).at(-1);

describe('CLI: migrate', { concurrency: 2 }, () => {
  it('[R-1] --all brings every file up to date; one that fails is named, stops no other, and is gone on with', async (test) => {
    const bench = workbench(test, 'here');
    const env = { PRECEDENT_DB: undefined, PRECEDENT_WORKSPACE: undefined, XDG_DATA_HOME: bench.folder };
    const folder = join(bench.folder, 'precedent');
    mkdirSync(folder);
    for (const [name, schema] of Object.entries({
      one: '0001-decisions',
      two: '0003-memos',
      three: '0006-writers-changes-names',
    }))
      copyFileSync(`test/fixtures/${schema}.db`, join(folder, `${name}.db`));
    const bad = join(folder, 'bad.db');
    writeFileSync(bad, 'no database, but long enough to be taken for one'.repeat(100));

    const ran = await bench.run(['migrate', '--all', '--json'], { env });
    assert.equal(ran.code, 5, ran.stderr);
    const { failed, ...report } = JSON.parse(ran.stdout);
    assert.deepEqual(report, { location: folder, memories: 4, current: 3 });
    assert.deepEqual(
      failed.map(({ workspace }: { workspace: string }) => workspace),
      ['bad'],
    );
    for (const name of ['one', 'two', 'three']) {
      const { schema } = JSON.parse(await bench.succeed(['doctor', '--json', '--workspace', name], { env }));
      assert.equal(schema, NEWEST, name);
    }
    const shown = await bench.run(['migrate', '--all'], { env });
    assert.match(shown.stdout, /^✔ 3 of 4 memories up to date .*\n✘ bad\n {2}.+\nRun it again/);
    rmSync(bad);
    assert.match(await bench.succeed(['migrate', '--all', '--parallel', '3'], { env }), /^✔ 3 of 3 memories/);
    assert.match(
      await bench.succeed(['migrate', '--workspace', 'one'], { env }),
      /^✔ up to date {2}workspace one/,
    );
  });

  it('refuses what it cannot do, and creates nothing', async (test) => {
    const bench = workbench(test, 'here');
    const missing = await bench.run(['migrate']);
    assert.deepEqual([missing.code, missing.stdout], [3, '']);
    for (const parallel of ['0', '17', 'x', '1.5']) {
      const ran = await bench.run(['migrate', '--all', '--parallel', parallel]);
      assert.equal(ran.code, 2);
      assert.match(ran.stderr, /whole number from 1 to 16/);
    }
    const file = await bench.run(['migrate', '--all']);
    assert.equal(file.code, 2);
    assert.match(file.stderr, /which is one memory by itself/);
  });

  it('[R-1] --all brings every workspace of a server up to date', optionsOf(postgres), async (test) => {
    const bench = workbench(test, 'here');
    const database = newWorkspace();
    await query(`create database "${database}"`);
    test.after(() => query(`drop database "${database}" with (force)`));
    const db = Object.assign(new URL(SERVER), { pathname: `/${database}` }).href;
    const all = Object.entries(migrations(ddl));
    for (let count = 1; count <= all.length; count++) {
      const earlier = Object.fromEntries(all.slice(0, count));
      await (await openPostgres(db, `w${count}`, () => {}, { migrations: earlier })).close();
    }
    const to = { ...Object.fromEntries(all), '9999-future': { up: async () => {} } };
    await (await openPostgres(db, 'newer', () => {}, { migrations: to })).close();
    const env = { PRECEDENT_DB: db, PRECEDENT_WORKSPACE: undefined };
    const ran = await bench.run(['migrate', '--all', '--parallel', '4', '--json'], { env });
    const { memories, current, failed } = JSON.parse(ran.stdout);
    assert.deepEqual([ran.code, memories, current], [5, all.length + 1, all.length]);
    assert.equal(failed[0].workspace, 'newer');
    assert.match(failed[0].message, /newer version/);
    for (let count = 1; count <= all.length; count++) {
      const [{ name }] = await query(
        `select max(name collate "C") as name from w${count}.kysely_migration`,
        [],
        db,
      );
      assert.equal(name, NEWEST);
    }
  });
});
