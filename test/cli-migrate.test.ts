import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { openMemory } from '../src/index.ts';
import { INDEX_VERSION } from '../src/store/search/stale.ts';
import { optionsOf, postgres } from './support/engines.ts';
import { newDatabase, query, queryIn } from './support/postgres.ts';
import { workbench } from './support/program.ts';

/** Runs a statement on a file. @returns the first value of the first row */
function edit(file: string, statement: string): unknown {
  const database = new DatabaseSync(file);
  const [row = {}] = database.prepare(statement).all();
  database.close();
  return Object.values(row)[0];
}

describe('CLI: migrate', { concurrency: 2 }, () => {
  it('[R-1] --all brings every file up to date; one that fails is named, stops no other, and is gone on with', async (test) => {
    const bench = workbench(test, 'here');
    const env = { PRECEDENT_DB: undefined, PRECEDENT_WORKSPACE: undefined, XDG_DATA_HOME: bench.folder };
    const folder = join(bench.folder, 'precedent');
    mkdirSync(folder);
    const fileOf = (name: string) => join(folder, `${name}.db`);
    for (const name of ['one', 'two', 'three', 'old']) await (await openMemory({ db: fileOf(name) })).close();
    // As another version of Precedent left them.
    for (const name of ['one', 'two', 'three'])
      edit(fileOf(name), "update meta set value = 'stale' where key = 'analysis'");
    edit(fileOf('old'), "update kysely_migration set name = '0015-based-on'");
    const bad = fileOf('bad');
    writeFileSync(bad, 'no database, but long enough to be taken for one'.repeat(100));

    const ran = await bench.run(['migrate', '--all', '--json'], { env });
    assert.equal(ran.code, 5, ran.stderr);
    const { failed, ...report } = JSON.parse(ran.stdout);
    assert.deepEqual(report, { location: folder, memories: 5, current: 3 });
    assert.deepEqual(
      failed.map(({ workspace }: { workspace: string }) => workspace),
      ['bad', 'old'],
    );
    assert.match(failed[1].message, /before the first release/);
    for (const name of ['one', 'two', 'three'])
      assert.equal(edit(fileOf(name), "select value from meta where key = 'analysis'"), INDEX_VERSION, name);
    rmSync(fileOf('old'));
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
    const { db } = await newDatabase();
    const workspaces = ['one', 'two', 'three'];
    for (const workspace of workspaces) await (await openMemory({ db, workspace })).close();
    for (const workspace of ['one', 'two'])
      await queryIn(workspace, "update meta set value = 'stale' where key = 'analysis'", [], db);
    const env = { PRECEDENT_DB: db, PRECEDENT_WORKSPACE: undefined };
    const all = ['migrate', '--all', '--parallel', '4', '--json'];
    const report = JSON.parse(await bench.succeed(all, { env }));
    assert.deepEqual([report.memories, report.current, report.failed], [3, 3, []]);
    for (const workspace of workspaces) {
      const rows = await queryIn(workspace, "select value from meta where key = 'analysis'", [], db);
      assert.deepEqual(rows, [{ value: INDEX_VERSION }], workspace);
    }
    await query("insert into precedent.kysely_migration values ('9999-future', '')", [], db);
    const ran = await bench.run(all, { env });
    assert.equal(ran.code, 5);
    const { failed } = JSON.parse(ran.stdout);
    assert.equal(failed.length, 3);
    for (const { message } of failed) assert.match(message, /newer version/);
  });
});
