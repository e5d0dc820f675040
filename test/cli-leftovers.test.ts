import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it, type TestContext } from 'node:test';
import { openMemory } from '../src/index.ts';
import { first } from './support/clock.ts';
import { isTried } from './support/part.ts';
import { workbench } from './support/program.ts';

/** Run in a program before its own code: it is killed at its n-th step on the disk. */
const killedAt = (step: number) =>
  first(`
  import fs from 'node:fs';
  import { syncBuiltinESMExports } from 'node:module';
  import { DatabaseSync } from 'node:sqlite';
  let left = ${step};
  const counted = (object, name, counts = (what) => !String(what).startsWith('file:')) => {
    const original = object[name];
    object[name] = function (...args) {
      if (counts(args[0]) && left-- <= 0) process.kill(process.pid, 'SIGKILL');
      return original.apply(this, args);
    };
  };
  for (const name of ['mkdirSync', 'openSync', 'copyFileSync', 'chmodSync', 'linkSync', 'renameSync', 'rmSync', 'rmdirSync', 'createWriteStream'])
    counted(fs, name);
  counted(DatabaseSync.prototype, 'exec');
  counted(DatabaseSync.prototype, 'close');
  counted(DatabaseSync.prototype, 'prepare', (sql) => /^(begin|commit)/i.test(sql));
  syncBuiltinESMExports();`);

/** Copies of a memory, in a folder that also stands for the one of temporary files. */
const leftovers = (folder: string) =>
  readdirSync(folder).filter((name) => /\.partial$|^precedent-/.test(name));

/**
 * Kills a command at its steps, those that this run tries, until it comes to its end.
 * @param look is called after each time; nothing but one leftover may be there
 * @returns how often it was killed
 */
async function killAtEachStep(
  bench: ReturnType<typeof workbench>,
  command: (step: number) => string[],
  look: (step: number) => Promise<void> = async () => {},
  stdin = '',
): Promise<number> {
  for (let step = 0; ; step++) {
    if (!isTried(step)) continue;
    // The place for temporary files is looked at by doctor, and shared with everything else that runs.
    const env = { NODE_OPTIONS: killedAt(step), TMPDIR: bench.folder };
    const { code, stderr } = await bench.run(command(step), { env, stdin });
    assert(leftovers(bench.folder).length <= 1, `${leftovers(bench.folder)}`);
    await look(step);
    if (code !== null) {
      assert.equal(code, 0, stderr);
      assert.deepEqual(leftovers(bench.folder), [], 'it removed what was left, and its own');
      return step;
    }
  }
}

async function filled(test: TestContext) {
  const bench = workbench(test);
  const memory = await openMemory({ db: bench.db });
  for (let n = 0; n < 5; n++) await memory.mem.save({ title: `n ${n}`, content: `secret ${n}` });
  await memory.close();
  return bench;
}

async function isWhole(db: string, observations: number): Promise<void> {
  const memory = await openMemory({ db });
  const { problems, records } = await memory.inspect();
  assert.deepEqual([problems, records.observation], [[], observations], db);
  await memory.close();
}

describe('CLI: what a killed command leaves behind', { concurrency: 3 }, () => {
  it('[C-3] a backup is whole or not there, and the next one removes what is left', async (test) => {
    const bench = await filled(test);
    const target = (step: number) => join(bench.folder, `backup-${step}.db`);
    const killed = await killAtEachStep(
      bench,
      (step) => ['backup', target(step)],
      async (step) => {
        if (existsSync(target(step))) await isWhole(target(step), 5);
      },
    );
    assert(killed > 20, `${killed}`);
  });

  it('[C-3] a restore leaves the memory as it was or whole, and the next one removes what is left', async (test) => {
    const bench = await filled(test);
    const backup = join(bench.folder, 'backup.db');
    await bench.succeed(['backup', backup]);
    const memory = await openMemory({ db: bench.db });
    await memory.mem.save({ title: 'since', content: 'since' });
    await memory.close();
    let observations = 6;
    const killed = await killAtEachStep(
      bench,
      () => ['backup', '--restore', backup, '--force', '--yes'],
      async () => {
        const database = new DatabaseSync(bench.db);
        const count = Number(database.prepare('select count(*) as n from observations').get()?.n);
        database.close();
        assert(count === observations || count === 5, `${count}`);
        observations = count;
        await isWhole(bench.db, count);
      },
    );
    assert(killed > 20, `${killed}`);
    assert.equal(observations, 5);
  });

  it('[C-3] an import from a pipe too, and doctor names and removes what is left', async (test) => {
    const bench = await filled(test);
    const lines = await bench.succeed(['export', '--format', 'jsonl']);
    const other = ['--db', join(bench.folder, 'other.db')];
    let leaving = 0;
    const killed = await killAtEachStep(
      bench,
      () => [...other, 'import'],
      async (step) => {
        if (leftovers(bench.folder).length > 0) leaving ||= step;
      },
      lines,
    );
    assert(killed > 10, `${killed}`);
    const env = { TMPDIR: bench.folder };
    // Once more, up to the step at which something was left first, or soon after it: the memory is there now.
    for (let step = leaving; leftovers(bench.folder).length === 0; step++) {
      assert(step < killed, `nothing is left from step ${leaving} on`);
      await bench.run([...other, 'import'], { env: { ...env, NODE_OPTIONS: killedAt(step) }, stdin: lines });
    }
    const [left = ''] = leftovers(bench.folder);
    assert.match(left, /^other\.db\.[0-9a-f]{8}\.partial$/);
    const report = JSON.parse(await bench.succeed(['doctor', '--json'], { env }));
    assert.deepEqual([report.ok, report.leftovers], [true, [join(bench.folder, left)]]);
    assert.deepEqual(leftovers(bench.folder), []);
    assert.doesNotMatch(await bench.succeed(['doctor'], { env }), /left behind/);
  });

  it('[C-3] what another process works in, and what is not ours, is left alone', async (test) => {
    const bench = await filled(test);
    const held = join(bench.folder, 'a.db.01234567.partial');
    const foreign = join(bench.folder, 'b.db.01234567.partial');
    const empty = join(bench.folder, 'c.db.01234567.partial');
    const abandoned = join(bench.folder, 'd.db.01234567.partial');
    for (const folder of [held, foreign, empty, abandoned]) mkdirSync(folder);
    for (const folder of [held, foreign, abandoned]) writeFileSync(join(folder, 'held'), '');
    writeFileSync(join(foreign, 'my own.txt'), 'mine');
    const lock = new DatabaseSync(join(held, 'held'));
    lock.exec('begin exclusive');
    const env = { TMPDIR: bench.folder };
    const said = await bench.succeed(['doctor'], { env });
    assert.deepEqual([held, foreign, empty, abandoned].map(existsSync), [true, true, false, false]);
    for (const folder of [empty, abandoned]) assert(said.includes(`had left behind: ${folder}`), said);
    lock.close();
    await bench.run(['backup', join(bench.folder, 'backup.db')], { env });
    assert.deepEqual([held, foreign].map(existsSync), [false, true]);
  });

  it('says what is wrong where no copy can be made', async (test) => {
    const bench = await filled(test);
    writeFileSync(join(bench.folder, 'file'), '');
    const ran = await bench.run(['backup', join(bench.folder, 'file', 'backup.db')]);
    assert.equal(ran.code, 5, ran.stderr);
    assert.match(ran.stderr, /nothing can be written there \((ENOTDIR|EEXIST)\)/);
    rmSync(join(bench.folder, 'file'));
  });
});
