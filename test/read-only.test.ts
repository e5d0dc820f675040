import assert from 'node:assert/strict';
import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it, type TestContext } from 'node:test';
import { openMemory } from '../src/index.ts';
import { openSqlite } from '../src/store/sqlite/engine.ts';
import { ddl } from '../src/store/sqlite/migrate.ts';
import { copyWhole } from '../src/store/sqlite/read-only.ts';
import { scratch, toCome } from './support/engines.ts';
import { refuses } from './support/expect.ts';
import { givesNothingAway, HELLO, resultOf, workbench } from './support/program.ts';
import { protect, protectable, readOnlyPlace, withoutPrivileges } from './support/read-only.ts';
import { until } from './support/until.ts';

const isWindows = process.platform === 'win32' && 'no modes there';

const contents = (folder: string) =>
  readdirSync(folder).map((name) => [name, readFileSync(join(folder, name)).toString('base64')]);

describe('a memory in a read-only place', { skip: isWindows }, () => {
  it('[K-7] is read with its log, and says why it cannot be saved in', async (test) => {
    const folder = protectable(test);
    const file = join(folder, 'memory.db');
    const owner = await openMemory({ db: file });
    test.after(() => owner.close());
    const { id } = await owner.mama.save({ topic: 't', decision: 'in the log', evidence: ['a ground'] });
    protect(folder);
    const before = contents(folder);
    await withoutPrivileges(async () => {
      const memory = await openMemory({ db: file });
      assert.equal((await memory.mama.search({ query: 'log' })).results[0]?.id, id);
      assert.equal((await memory.decision.get({ id })).evidence[0]?.content, 'a ground');
      const lines: string[] = [];
      await memory.export('jsonl', (line) => lines.push(line));
      assert(lines.some((line) => line.includes('in the log')));
      const { problems, readOnly, location, records } = await memory.inspect();
      assert.deepEqual([problems, location, records.decision], [[], file, 1]);
      assert.match(readOnly ?? '', /read-only \(EACCES\)/);
      for (const write of [
        memory.mama.save({ topic: 't', decision: 'new' }),
        memory.redact(id),
        memory.repair(),
        memory.import(lines),
      ]) {
        await refuses(write, 'unavailable', 'read-only', 'EACCES', 'permissions');
      }
      await memory.close();
    });
    assert.deepEqual(contents(folder), before);
  });

  it('[K-7] tells when something was saved since, and shows it when it is opened again', async (test) => {
    const folder = protectable(test);
    const file = join(folder, 'memory.db');
    const owner = await openMemory({ db: file });
    test.after(() => owner.close());
    await owner.mama.save({ topic: 't', decision: 'one' });
    assert.equal(owner.isOutdated(), false);
    protect(folder);
    const reader = await withoutPrivileges(() => openMemory({ db: file }));
    assert.equal(reader.isOutdated(), false);
    for (const decision of ['two', 'three']) {
      await owner.mama.save({ topic: 't', decision });
      assert.equal(reader.isOutdated(), true);
    }
    await reader.close();
    const again = await withoutPrivileges(() => openMemory({ db: file }));
    assert.equal(again.isOutdated(), false);
    assert.equal((await again.mama.search({ query: 'three' })).results[0]?.decision, 'three');
    await again.close();
  });

  it('[K-7] an older one is brought up to date in the copy alone', async (test) => {
    const folder = protectable(test);
    const file = join(folder, 'memory.db');
    await (await openMemory({ db: file })).close();
    protect(folder);
    const before = contents(folder);
    let upgrades = 0;
    await withoutPrivileges(async () => {
      const next = toCome(ddl, async () => void upgrades++);
      await (await openSqlite(file, () => {}, { migrations: next })).close();
    });
    assert.equal(upgrades, 1);
    assert.deepEqual(contents(folder), before);
  });

  it('[K-7] one that cannot even be read is refused', async (test) => {
    const folder = protectable(test);
    const file = join(folder, 'memory.db');
    await (await openMemory({ db: file })).close();
    protect(folder);
    chmodSync(file, 0o000);
    await withoutPrivileges(() => refuses(openMemory({ db: file }), 'unavailable', 'cannot be opened'));
    chmodSync(folder, 0o000);
    await withoutPrivileges(() => refuses(openMemory({ db: file }), 'unavailable', 'cannot be opened'));
  });

  it('[K-7] a copy that a checkpoint came into is made again', async () => {
    const folder = scratch();
    const file = join(folder, 'memory.db');
    const owner = new DatabaseSync(file);
    owner.exec('pragma journal_mode = wal; create table t (n integer, filler text)');
    const rows = 500;
    const fill = owner.prepare(
      `with recursive counted (n) as (select 1 union all select n + 1 from counted where n < ${rows})
      insert into t select n, ? from counted`,
    );
    fill.run('a'.repeat(1_000));
    let copies = 0;
    const copy = async (from: string, to: string) => {
      copyFileSync(from, to);
      if (++copies > 2) return;
      // All of the log goes into the file that was just copied, and a new log begins.
      owner.exec('pragma wal_checkpoint(restart)');
      owner.exec("update t set filler = 'b' where n = 1");
    };
    const target = join(scratch(), 'copy.db');
    await copyWhole(file, target, copy);
    assert(copies > 2, 'it was made again');
    const copied = new DatabaseSync(target);
    assert.deepEqual({ ...copied.prepare('pragma integrity_check').get() }, { integrity_check: 'ok' });
    assert.deepEqual(
      { ...copied.prepare("select count(*) as n, sum(filler = 'b') as changed from t").get() },
      { n: rows, changed: 1 },
    );
    copied.close();
    owner.close();
  });
});

describe('the program in a read-only place', { skip: isWindows }, () => {
  /** A memory with a decision, in a folder that the program may not write. */
  async function place(test: TestContext) {
    const bench = workbench(test, 'here');
    const folder = protectable(test);
    const temporary = join(bench.folder, 'tmp');
    mkdirSync(temporary);
    for (const each of [bench.folder, temporary]) chmodSync(each, 0o777);
    const db = join(folder, 'memory.db');
    const owner = await openMemory({ db });
    test.after(() => owner.close());
    await owner.mama.save({ topic: 't', decision: 'Ship on Mondays' });
    const under = readOnlyPlace(folder);
    return { bench, owner, temporary, options: { env: { PRECEDENT_DB: db, TMPDIR: temporary }, under } };
  }

  it('[K-7] reads, searches, exports, backs up and examines; saving says why not', async (test) => {
    const { bench, owner, temporary, options } = await place(test);
    // Nothing lies beside the file now but the note of whose its last log was.
    await owner.close();
    for (const command of [
      'recall Mondays',
      'search Mondays',
      'tool mama_search Mondays',
      'export --format jsonl',
    ]) {
      assert.match(await bench.succeed(command.split(' '), options), /Ship on Mondays/);
    }
    const backup = join(bench.folder, 'backup.db');
    await bench.succeed(['backup', backup], options);
    assert.match(await bench.succeed(['--db', backup, 'search', 'Mondays']), /Ship on Mondays/);
    const doctor = await bench.succeed(['doctor'], options);
    assert.match(doctor, /sound/);
    assert.match(doctor.replace(/[\s│]+/g, ' '), /read works\. Expected a memory that can be written/);
    for (const command of ['note a b', 'doctor --repair']) {
      const { code, stderr } = await bench.run(command.split(' '), options);
      assert.equal(code, 5, stderr);
      assert.match(stderr, /read-only \(E\w+\)/);
      givesNothingAway(stderr);
    }
    assert.deepEqual(readdirSync(temporary), []);
  });

  it('[K-7] a server answers with what was saved last, and leaves nothing when it is killed', async (test) => {
    const { bench, owner, temporary, options } = await place(test);
    const server = bench.serve(options);
    await server.ask(0, 'initialize', HELLO);
    const call = (id: number, name: string, input: object) =>
      server.ask(id, 'tools/call', { name, arguments: input });
    const found = async (id: number) => {
      const { results } = resultOf(await call(id, 'mama_search', { query: 'Ship' })) as {
        results: { decision: string }[];
      };
      return results.map((row) => row.decision);
    };
    assert.deepEqual(await found(1), ['Ship on Mondays']);
    const { isError, content } = await call(2, 'mama_save', { topic: 't', decision: 'x' });
    assert.equal(isError, true);
    assert.match(content[0].text, /^unavailable: Expected a memory that can be written/);
    assert.deepEqual(await found(3), ['Ship on Mondays']);
    await owner.mama.save({ topic: 'u', decision: 'Ship small' });
    assert.deepEqual((await found(4)).toSorted(), ['Ship on Mondays', 'Ship small']);
    server.child.kill('SIGKILL');
    await server.exited;
    assert.deepEqual(readdirSync(temporary), []);
  });

  it('[OP-1] a server is not ready, and says why', async (test) => {
    const { bench, owner, options } = await place(test);
    await owner.close();
    symlinkSync(dirname(options.env.PRECEDENT_DB), join(bench.folder, 'precedent'));
    const served = async (env: Record<string, string | undefined>) => {
      const { child } = bench.start(['serve', '--port', '0'], {
        ...options,
        env: { ...options.env, ...env },
      });
      const [said, problem] = [child.stdout, child.stderr].map((stream) => {
        let text = '';
        stream.on('data', (more) => {
          text += more;
        });
        return () => text;
      }) as [() => string, () => string];
      await until(() => said().includes('Stop with'));
      const { status } = await fetch(`${/listens at (\S+)/.exec(said())?.[1]}/readyz`);
      assert.equal(status, 503, said());
      await until(() => /Calls fail \(read_only\).*read-only \(E\w+\)/.test(problem()));
    };
    await served({});
    // All memories of a folder.
    await served({ PRECEDENT_DB: undefined, XDG_DATA_HOME: bench.folder });
  });

  it('[K-7] without a temporary folder says what it needs', async (test) => {
    const { bench, temporary, options } = await place(test);
    const TMPDIR = join(temporary, 'none');
    const { code, stderr } = await bench.run(['search', 'x'], {
      ...options,
      env: { ...options.env, TMPDIR },
    });
    assert.equal(code, 5);
    assert.match(stderr, /Expected a temporary folder to read the memory through/);
    assert(stderr.includes(TMPDIR) && stderr.includes('Set TMPDIR'), stderr);
  });
});
