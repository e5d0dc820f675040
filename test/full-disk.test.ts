import assert from 'node:assert/strict';
import { copyFileSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it, type TestContext } from 'node:test';
import { type Memory, openMemory, PrecedentError } from '../src/index.ts';
import { saysFull } from '../src/store/sqlite/fault.ts';
import { refuses } from './support/expect.ts';
import { givesNothingAway, HELLO, resultOf, workbench } from './support/program.ts';
import { noSmallDisk, smallDisk } from './support/small-disk.ts';

/** A memory with two records on a disk of its own, closed. */
async function place(test: TestContext) {
  const disk = smallDisk(test);
  const db = join(disk.folder, 'memory.db');
  const owner = await openMemory({ db });
  const { id } = await owner.mama.save({ topic: 'release', decision: 'Ship on Mondays' });
  await owner.mem.save({ title: 'Slow start', content: 'ships take a while' });
  await owner.close();
  return { disk, db, id };
}

/** Asserts that everything can be asked of a memory, and that it says why nothing can be saved. */
async function isRead(memory: Memory, id: string) {
  assert.equal((await memory.mama.search({ query: 'Mondays' })).results[0]?.id, id);
  assert.match(JSON.stringify(await memory.recall({ task: 'ship' })), /Ship on Mondays/);
  assert.match(JSON.stringify(await memory.show({ ref: id })), /Ship on Mondays/);
  const lines: string[] = [];
  await memory.export('jsonl', (line) => lines.push(line));
  assert(lines.some((line) => line.includes('Ship on Mondays')));
  const { problems, readOnly } = await memory.inspect();
  assert.deepEqual(problems, []);
  assert.match(readOnly ?? '', /the disk is full/);
  for (const write of [
    () => memory.mama.save({ topic: 't', decision: 'new' }),
    () => memory.redact(id),
    () => memory.mem.save({ title: 'a', content: 'b' }),
  ])
    await refuses(write(), 'unavailable', 'the disk is full');
}

describe('a memory on a full disk', { skip: noSmallDisk }, () => {
  it('[Z-7] that nobody had open is read, and can be saved in when there is room again', async (test) => {
    const { disk, db, id } = await place(test);
    disk.fill();
    const before = readdirSync(disk.folder);
    const memory = await openMemory({ db });
    await isRead(memory, id);
    assert.equal(memory.isOutdated(), false);
    disk.clear();
    assert.equal(memory.isOutdated(), true);
    await memory.close();
    assert.deepEqual(
      readdirSync(disk.folder).filter((name) => !before.includes(name) && !/-(wal|shm)$/.test(name)),
      [],
    );
    const again = await openMemory({ db });
    await again.mama.save({ topic: 'release', decision: 'Ship on Tuesdays' });
    assert.deepEqual((await again.inspect()).problems, []);
    await again.close();
  });

  it('[Z-7] is read where the temporary folder is full as well', async (test) => {
    const { disk, db, id } = await place(test);
    const { TMPDIR } = process.env;
    test.after(() => {
      if (TMPDIR === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = TMPDIR;
    });
    const temporary = join(disk.folder, 'tmp');
    mkdirSync(temporary);
    disk.fill();
    for (process.env.TMPDIR of [temporary, join(temporary, 'none')]) {
      const memory = await openMemory({ db });
      await isRead(memory, id);
      await memory.close();
    }
    assert.deepEqual(readdirSync(temporary), []);
  });

  it('[Z-7] is read with what only its log holds', async (test) => {
    const { disk, db } = await place(test);
    const owner = await openMemory({ db });
    const { id } = await owner.mama.save({ topic: 'u', decision: 'Ship on Mondays, in the log' });
    const crashed = join(disk.folder, 'crashed.db');
    for (const ending of ['', '-wal']) copyFileSync(db + ending, crashed + ending);
    await owner.close();
    disk.fill();
    assert(!existsSync(`${crashed}-shm`));
    const memory = await openMemory({ db: crashed });
    assert.equal((await memory.mama.search({ query: 'log' })).results[0]?.id, id);
    await memory.close();
  });

  it('[Z-7] that was open when it filled loses nothing it acknowledged, and goes on', async (test) => {
    const { disk, db, id } = await place(test);
    const memory = await openMemory({ db });
    const saved: string[] = [];
    const save = async () => {
      const { id } = await memory.mama.save({ topic: 't', decision: `${saved.length} ${'d'.repeat(1_900)}` });
      saved.push(id);
    };
    await save();
    disk.fill();
    // What the log has room for is saved.
    const isFull = (error: unknown) => error instanceof PrecedentError && error.reason === 'full';
    await assert.rejects(async () => {
      while (saved.length < 1_000) await save();
    }, isFull);
    await isRead(memory, id);
    const other = await openMemory({ db });
    assert.equal((await other.mama.search({ query: 'Mondays' })).results[0]?.id, id);
    await other.close();
    disk.clear();
    await save();
    await memory.close();
    const again = await openMemory({ db });
    for (const each of saved) assert.equal((await again.decision.get({ id: each })).decision.id, each);
    assert.deepEqual((await again.inspect()).problems, []);
    await again.close();
  });

  it('[Z-7] a new one is refused for what it is', async (test) => {
    const disk = smallDisk(test);
    disk.fill();
    await refuses(openMemory({ db: join(disk.folder, 'new.db') }), 'unavailable', 'the disk is full');
  });

  it('[Z-7] a disk of an account that has no more of its share is full, one that fails is not', () => {
    const refused = (code: string) => Object.assign(new Error('write'), { code });
    assert.deepEqual(
      ['ENOSPC', 'EDQUOT', 'EIO', 'EACCES'].map((code) => saysFull(refused(code))),
      [true, true, false, false],
    );
  });

  it('[Z-7] without room for a log of the reader is no failing disk either', async (test) => {
    const { disk, db } = await place(test);
    disk.fill();
    const raw = new DatabaseSync(db);
    assert.throws(() => raw.prepare('select 1 from records').get(), /I\/O/, 'what SQLite says by itself');
    raw.close();
    const lines: string[] = [];
    const memory = await openMemory({ db, log: (line) => lines.push(line) });
    await memory.close();
    assert.deepEqual(lines, []);
  });
});

describe('the program on a full disk', { skip: noSmallDisk }, () => {
  /** Home, memory and temporary folder on one full disk. */
  async function machine(test: TestContext) {
    const bench = workbench(test);
    const disk = smallDisk(test);
    const home = join(disk.folder, 'home');
    mkdirSync(home);
    const env = { HOME: home, TMPDIR: home, PRECEDENT_DB: undefined, PRECEDENT_WORKSPACE: undefined };
    const options = { env, cwd: home };
    await bench.succeed(['tool', 'mama_save', 'release', 'Ship on Mondays'], options);
    disk.fill();
    return { bench, disk, options };
  }

  it('[Z-7] reads, searches, exports, backs up elsewhere and examines; saving says why not', async (test) => {
    const { bench, options } = await machine(test);
    for (const command of ['recall ship', 'search ship', 'show release', 'list', 'export --format jsonl'])
      assert.match(await bench.succeed(command.split(' '), options), /Ship on Mondays/);
    const backup = join(bench.folder, 'backup.db');
    await bench.succeed(['backup', backup], options);
    assert.match(await bench.succeed(['--db', backup, 'search', 'Mondays']), /Ship on Mondays/);
    assert.match((await bench.succeed(['doctor'], options)).replace(/[\s│]+/g, ' '), /the disk is full/);
    for (const command of ['note a b', 'doctor --repair', 'undo']) {
      const { code, stderr } = await bench.run(command.split(' '), options);
      assert.equal(code, 5, stderr);
      assert.match(stderr, /the disk is full/);
      givesNothingAway(stderr);
    }
    const hook = {
      ...options,
      stdin: JSON.stringify({ hook_event_name: 'SessionStart', session_id: 's', cwd: options.cwd }),
    };
    const { code, stderr } = await bench.run(['hook', 'claude'], hook);
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
  });

  it('[Z-7] says that it is full to who backs up onto it, sends saves through a pipe or makes a memory', async (test) => {
    const { bench, disk, options } = await machine(test);
    const lines = '{"operation":"mem_save","title":"t","content":"c"}';
    for (const [command, stdin] of [
      [['backup', join(disk.folder, 'backup.db')], ''],
      [['import', '-'], lines],
      [['tool', 'mem_save', 'a', 'b', '--workspace', 'other'], ''],
      [['tool', 'mem_save', 'a', 'b', '--db', join(disk.folder, 'new.db')], ''],
    ] as const) {
      const { code, stderr } = await bench.run([...command], { ...options, stdin });
      assert.equal(code, 5, stderr);
      assert.match(stderr, /the disk is full/, command.join(' '));
      givesNothingAway(stderr);
    }
    assert.deepEqual(
      readdirSync(disk.folder).filter((name) => /partial|backup/.test(name)),
      [],
    );
  });

  it('[Z-7] a server reads, refuses, and saves again when there is room', async (test) => {
    const { bench, disk, options } = await machine(test);
    const server = bench.serve(options);
    await server.ask(0, 'initialize', HELLO);
    const call = (id: number, name: string, input: object) =>
      server.ask(id, 'tools/call', { name, arguments: input });
    const found = async (id: number) =>
      JSON.stringify(resultOf(await call(id, 'mama_search', { query: 'Ship' })));
    assert.match(await found(1), /Ship on Mondays/);
    const { isError, content } = await call(2, 'mama_save', { topic: 't', decision: 'Ship small' });
    assert.equal(isError, true);
    assert.match(content[0].text, /^unavailable: .*the disk is full/);
    assert.match(await found(3), /Ship on Mondays/);
    disk.clear();
    const saved = await call(4, 'mama_save', { topic: 't', decision: 'Ship small' });
    assert.notEqual(saved.isError, true, JSON.stringify(saved.content));
    assert.match(await found(5), /Ship small/);
    disk.fill();
    assert.match(await found(6), /Ship small/);
    server.child.kill('SIGKILL');
    await server.exited;
  });
});
