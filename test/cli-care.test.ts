import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { copyMemory } from '../src/cli/copy-memory.ts';
import { openMemory, PrecedentError } from '../src/index.ts';
import { first } from './support/clock.ts';
import { refuses } from './support/expect.ts';
import { workbench } from './support/program.ts';
import { settle, until } from './support/until.ts';

const SECRET = 'sk-Zq81XbHunter2';
/** Run in a program before its own code: what it copies into is locked, so that a backup is never done. */
const LOCK_THE_COPY = `
  import { DatabaseSync } from 'node:sqlite';
  const { prepare } = DatabaseSync.prototype;
  let lock;
  DatabaseSync.prototype.prepare = function (sql) {
    if (!lock && this.location()?.includes('.partial')) {
      lock = new DatabaseSync(this.location());
      lock.exec('begin exclusive');
      process.stderr.write('locked');
    }
    return prepare.call(this, sql);
  };`;

describe('CLI: backup, restore, repair, redact', { concurrency: 4 }, () => {
  it('[C-3] a backup made while others write is one moment of the memory, and opens by itself', async (test) => {
    const bench = workbench(test, 'here');
    const server = await bench.connect();
    for (let n = 0; n < 40; n++)
      await server.call('mem_save', { title: `before ${n}`, content: `before ${n}` });
    let writing = true;
    let written = 0;
    const writer = (async () => {
      for (; writing; written++)
        await server.call('mem_save', { title: `during ${written}`, content: `${written}` });
    })();
    const file = join(bench.folder, '백업.db');
    const report = JSON.parse(await bench.succeed(['backup', file, '--json']));
    writing = false;
    await writer;
    assert(report.rows.observations >= 40, `${report.rows.observations}`);
    assert(report.rows.observations <= 40 + written);
    const doctor = JSON.parse(await bench.succeed(['--db', file, 'doctor', '--json']));
    assert.deepEqual([doctor.ok, doctor.records.observation], [true, report.rows.observations]);
    assert.deepEqual(
      readdirSync(bench.folder).filter((name) => name.includes('partial')),
      [],
    );
    const again = await bench.run(['backup', file]);
    assert.equal(again.code, 4);
    assert.match(again.stderr, /exists/);
  });

  it('[V-8] backup --keep keeps the last ones of this memory in a folder, and touches no other file', async (test) => {
    const bench = workbench(test, 'here');
    await bench.succeed(['decide', 'a:b', 'One']);
    const folder = join(bench.folder, 'backups');
    const back = async () => JSON.parse(await bench.succeed(['backup', folder, '--keep', '2', '--json']));
    const files = [(await back()).file];
    const others = ['bench-2020-01-01.db', 'bench.db', 'shop-2020-01-01T00-00-00-000Z.db'];
    for (const name of others) writeFileSync(join(folder, name), 'mine');
    mkdirSync(join(folder, 'bench-2020-01-01T00-00-00-000Z.db'));
    for (const _ of [1, 2]) files.push((await back()).file);
    const left = readdirSync(folder);
    for (const name of others) assert.equal(readFileSync(join(folder, name), 'utf8'), 'mine');
    assert.equal(left.length, others.length + 1 + 2);
    assert.deepEqual(
      files.map((file) => left.includes(basename(file))),
      [false, true, true],
    );
    assert.match(
      await bench.succeed(['--db', files[2], 'list'], { env: { PRECEDENT_WORKSPACE: undefined } }),
      /a:b/,
    );
    for (const keep of ['0', 'x', '-1'])
      assert.match((await bench.run(['backup', folder, `--keep=${keep}`])).stderr, /--keep with a number/);
    const file = await bench.run(['backup', join(folder, 'bench.db'), '--keep', '1']);
    assert.match(file.stderr, /Expected a folder for the backups/);
  });

  it('[C-3] [OP-7] backup --restore names its file, refuses to overwrite, replaces with --force, and a server that has the memory open goes on', async (test) => {
    const bench = workbench(test, 'here');
    const server = await bench.connect();
    const first = await server.call('mama_save', { topic: 'auth', decision: 'Session cookies' });
    const file = join(bench.folder, 'backup.db');
    await bench.succeed(['backup', file]);
    const bytes = readFileSync(file);
    await server.call('mama_save', { topic: 'auth', decision: 'A mistake' });
    await server.call('mem_save', { title: 'a mistake', content: 'another mistake' });

    const refused = await bench.run(['backup', '--restore', file]);
    assert.equal(refused.code, 4);
    assert.match(refused.stderr, /found 3 records.*--force/);
    assert.equal((await server.call('mama_search', { query: 'mistake' })).total, 1);

    assert.match(await bench.succeed(['backup', '--restore', file, '--force', '--yes']), /✔ 1 record in/);
    const { results } = await server.call('mama_search', {});
    assert.deepEqual(
      results.map(({ id, decision }) => [id, decision]),
      [[first.id.slice(0, 8), 'Session cookies']],
    );
    assert.equal((await server.call('mama_save', { topic: 'auth', decision: 'Goes on' })).version, 2);
    assert.equal(
      (await server.call('mem_save', { title: 'new', content: 'new' })).id,
      2,
      'no number comes back',
    );
    assert.deepEqual(readFileSync(file), bytes, 'the backup is as it was');
    assert.match(await bench.succeed(['doctor']), /sound/);

    const elsewhere = ['--db', join(bench.folder, 'new.db')];
    // The file, not the copy of it that is read (OP-7).
    const named = join(bench.folder, 'shop-monday.db');
    renameSync(file, named);
    assert.match(
      await bench.succeed([...elsewhere, 'backup', '--restore', named]),
      /from workspace shop-monday into bench$/m,
    );
    assert.match(await bench.succeed([...elsewhere, 'tool', 'mama_search', 'cookies']), /Session cookies/);
  });

  it('[C-3] what is no backup, is cut short or is not there is refused, and the memory stays as it was', async (test) => {
    const bench = workbench(test, 'here');
    const server = await bench.connect();
    for (let n = 0; n < 30; n++)
      await server.call('mem_save', { title: `note ${n}`, content: 'x'.repeat(2_000) });
    const whole = join(bench.folder, 'whole.db');
    await bench.succeed(['backup', whole]);
    const [cut, text, other] = ['cut.db', 'text.db', 'other.db'].map((name) => join(bench.folder, name));
    assert(cut && text && other);
    writeFileSync(cut, readFileSync(whole));
    truncateSync(cut, 40_960);
    writeFileSync(text, 'not a database, and long enough to be looked at. '.repeat(100));
    const database = new DatabaseSync(other);
    database.exec('create table notes (text)');
    database.close();
    const before = await bench.succeed(['export', '--format', 'jsonl']);
    for (const [file, code, message] of [
      [cut, 5, /damaged/],
      [text, 5, /another program.*precedent import/],
      [other, 5, /another program/],
      [join(bench.folder, 'none.db'), 3, /none at/],
      [bench.folder, 3, /a folder at/],
    ] as const) {
      const ran = await bench.run(['backup', '--restore', file, '--force', '--yes']);
      assert.equal(ran.code, code, `${file}: ${ran.stderr}`);
      assert.match(ran.stderr, message);
      assert.doesNotMatch(ran.stderr, /at .*\.ts|SQLITE/);
    }
    assert.equal(await bench.succeed(['export', '--format', 'jsonl']), before);
    const elsewhere = join(bench.folder, 'nothing-yet.db');
    for (const command of [
      ['backup', join(bench.folder, 'b.db')],
      ['redact', '1'],
    ]) {
      const ran = await bench.run(['--db', elsewhere, ...command]);
      assert.equal(ran.code, 3, command[0]);
    }
    assert.equal(existsSync(elsewhere), false, 'nothing is made by looking');
  });

  it('[C-3] the address of a server is no file, and its password is in no message', async (test) => {
    const bench = workbench(test, 'here');
    await bench.succeed(['tool', 'mem_save', 'a', 'b']);
    for (const command of [['backup'], ['backup', '--restore'], ['import', '--from', 'adr']]) {
      for (const address of [`postgres://me:${SECRET}@127.0.0.1:1/d`, `mysql://me:${SECRET}@127.0.0.1/d`]) {
        const ran = await bench.run([...command, address]);
        if (command[0] === 'backup') {
          assert.equal(ran.code, 2, ran.stderr);
          assert.match(ran.stderr, /found (the address of a server|one that begins with mysql)/);
        }
        assert(!ran.stderr.includes(SECRET), ran.stderr);
      }
    }
  });

  it('[C-3] a read-only backup of a memory that was not sound is restored, and sound', async (test) => {
    const bench = workbench(test, 'here');
    const { id } = JSON.parse(
      await bench.succeed(['tool', 'mama_save', '--topic', 't', '--decision', 'd', '--json']),
    );
    await bench.succeed(['tool', 'mama_update', id, '--outcome', 'failed']);
    const database = new DatabaseSync(bench.db);
    database.exec("update decisions set outcome = 'success'");
    database.close();
    const file = join(bench.folder, 'backup.db');
    assert.match(await bench.succeed(['backup', file]), /the memory itself is damaged/);
    chmodSync(file, 0o400);
    const elsewhere = ['--db', join(bench.folder, 'new.db')];
    await bench.succeed([...elsewhere, 'backup', '--restore', file]);
    assert.match(await bench.succeed([...elsewhere, 'doctor']), /✔ sound/);
  });

  it('[C-3] two backups into one file at once: what is there in the end is whole', async (test) => {
    const bench = workbench(test, 'here');
    const server = await bench.connect();
    for (let n = 0; n < 300; n++) await server.call('mem_save', { title: `n ${n}`, content: `content ${n}` });
    const file = join(bench.folder, 'backup.db');
    const ran = await Promise.all([0, 1, 2].map(() => bench.run(['backup', file])));
    assert.deepEqual(
      ran.map(({ code }) => code).sort(),
      [0, 4, 4],
      ran.map(({ stderr }) => stderr).join('\n'),
    );
    const { records } = JSON.parse(await bench.succeed(['--db', file, 'doctor', '--json']));
    assert.equal(records.observation, 300);
    assert.deepEqual(
      readdirSync(bench.folder).filter((name) => name.includes('.partial')),
      [],
    );
  });

  it('[C-3] an empty file, or a memory in use, is no backup: nothing makes room for it', async (test) => {
    const bench = workbench(test, 'here');
    await bench.succeed(['tool', 'mem_save', 'mine', 'mine']);
    const [empty, live] = [join(bench.folder, 'empty.db'), join(bench.folder, 'live.db')];
    writeFileSync(empty, '');
    const server = await bench.connect({ env: { PRECEDENT_DB: live } });
    await server.call('mem_save', { title: 'in the log', content: 'in the log' });
    for (const [file, why] of [
      [empty, /no records/],
      [live, /in use/],
    ] as const) {
      const ran = await bench.run(['backup', '--restore', file, '--force', '--yes']);
      assert.equal(ran.code, 5, ran.stderr);
      assert.match(ran.stderr, why);
    }
    assert.match(await bench.succeed(['tool', 'mem_search', 'mine']), /mine/);
  });

  it('[C-3] a backup that is ended by a signal leaves nothing behind', async (test) => {
    const bench = workbench(test, 'here');
    await bench.succeed(['tool', 'mem_save', 'a', 'b']);
    const env = { NODE_OPTIONS: first(LOCK_THE_COPY) };
    const { child, exited } = bench.start(['backup', join(bench.folder, 'backup.db')], { env });
    let said = '';
    child.stderr.on('data', (data) => {
      said += data;
    });
    await until(() => said.includes('locked') || child.exitCode !== null);
    assert(readdirSync(bench.folder).some((name) => name.includes('.partial')));
    child.kill('SIGTERM');
    assert.equal(await exited, 143);
    assert.deepEqual(
      readdirSync(bench.folder).filter((name) => name.startsWith('backup')),
      [],
    );
  });

  it('[C-3] a copy ends when either side fails, and says which and why', async () => {
    const source = await openMemory({ db: ':memory:' });
    for (let n = 0; n < 100; n++) await source.mem.save({ title: `n ${n}`, content: 'x'.repeat(500) });
    const failing = (after: number, error: Error) => ({
      ...source,
      async import(lines: AsyncIterable<string> | Iterable<string>): Promise<never> {
        let read = 0;
        for await (const _ of lines) if (++read === after) break;
        throw error;
      },
    });
    const full = new PrecedentError('unavailable', 'full', 'the disk is full');
    for (const after of [1, 20, 80])
      await refuses(copyMemory(source, failing(after, full)), 'unavailable', 'full');
    const lost = new PrecedentError('unavailable', 'unreachable', 'the server is gone');
    const lines: string[] = [];
    await source.export('jsonl', (line) => lines.push(line));
    const broken = {
      ...source,
      async export(_: 'jsonl' | 'cypher', write: (line: string) => unknown) {
        for (const line of lines.slice(0, 50)) await write(line);
        throw lost;
      },
    };
    const target = await openMemory({ db: ':memory:' });
    await refuses(copyMemory(broken, target), 'unavailable', 'gone');
    const slow = {
      ...target,
      import: async (lines: AsyncIterable<string> | Iterable<string>) => {
        // By then the source has failed.
        await settle();
        return target.import(lines);
      },
    };
    await refuses(copyMemory(broken, slow), 'unavailable', 'gone');
    await Promise.all([source.close(), target.close()]);
  });

  it('[C-2] [E-4] what no repair mends is named apart, and backed up and restored as it is', async (test) => {
    const bench = workbench(test, 'here');
    await bench.succeed(['tool', 'mama_save', '--topic', 'auth', '--decision', 'Session cookies']);
    await bench.succeed(['tool', 'mem_save', 'note', 'a note']);
    const database = new DatabaseSync(bench.db);
    database.exec(`update decisions set created_at = 9000000000000000;
      update observations set content_hash = '${'0'.repeat(64)}'`);
    database.close();
    const doctor = await bench.run(['doctor']);
    assert.equal(doctor.code, 5);
    assert.match(
      doctor.stdout,
      /✘ observation 1: .*\n.*--repair.*\n✘ decision .*createdAt[^✘]*which --repair cannot mend/,
    );
    assert.match(await bench.succeed(['tool', 'mama_search', 'cookies']), /Session cookies/);

    const exported = join(bench.folder, 'e.jsonl');
    writeFileSync(exported, await bench.succeed(['export', '--format', 'jsonl']));
    const [b, c, d] = ['b.db', 'c.db', 'd.db'].map((name) => join(bench.folder, name)) as [
      string,
      string,
      string,
    ];
    for (const command of [
      ['--db', b, 'import', exported],
      ['--db', b, 'import', bench.db],
    ]) {
      const refused = await bench.run(command);
      assert.equal(refused.code, 2, refused.stderr);
      assert.match(
        refused.stderr,
        /Line \d+: Expected createdAt to be a time .* \(decision .*Nothing was imported/,
      );
    }
    assert.match(await bench.succeed(['backup', c]), /is damaged: decision/);
    assert.match(
      await bench.succeed(['--db', d, 'backup', '--restore', c]),
      /! the backup itself is damaged: decision/,
    );
    const { ok, problems, broken } = JSON.parse((await bench.run(['--db', d, 'doctor', '--json'])).stdout);
    assert.deepEqual([ok, problems.length, broken.length], [false, 1, 1], 'what is derived was mended');
  });

  it('[C-2] doctor names what is broken, and --repair mends it without touching a text', async (test) => {
    const bench = workbench(test, 'here');
    const server = await bench.connect();
    const { id } = await server.call('mama_save', { topic: 'auth', decision: 'Session cookies' });
    await server.call('mama_save', { topic: 'auth', decision: 'Signed session cookies' });
    await server.call('mama_update', { id, outcome: 'failed', reason: 'so' });
    await server.call('mama_save', { topic: 'cache', decision: 'None' });
    await server.call('keywords_record', { keywords: ['unity', 'mirror'] });
    const whole = await bench.succeed(['export', '--format', 'jsonl']);
    const database = new DatabaseSync(bench.db);
    // Newer versions of Node keep the text index's own tables from being written to.
    (database as { enableDefensive?: (active: boolean) => void }).enableDefensive?.(false);
    database.exec(`update decisions set is_active = 0 where topic = 'cache';
      update decisions set outcome = 'success' where outcome = 'failed';
      update keyword_connections set strength = 99;
      delete from search_text where rowid = 1;
      update search_text_data set block = x'00' where id > 10;`);
    database.close();
    const broken = await bench.run(['doctor']);
    assert.equal(broken.code, 5);
    for (const problem of [/chain/, /outcome/, /connection/]) assert.match(broken.stdout, problem);
    assert.match(await bench.succeed(['doctor', '--repair']), /✔ sound/);
    assert.equal(await bench.succeed(['export', '--format', 'jsonl']), whole);
    assert.match(await bench.succeed(['tool', 'mama_search', 'session']), /Signed session cookies/);
    assert.equal(
      (await server.call('mama_search', { query: 'session' })).total,
      1,
      'the server that was open too',
    );
  });

  it('[C-1] a redacted secret is in no byte of the file or its log, read from standard input, and named where it stands', async (test) => {
    const bench = workbench(test, 'here');
    const server = await bench.connect();
    const { id, evidence } = await server.call('mama_save', {
      topic: 'deploy',
      decision: `The key is ${SECRET}`,
      evidence: [`mail: ${SECRET}`],
    });
    for (let n = 0; n < 50; n++)
      await server.call('mem_save', { title: `n ${n}`, content: `${n} `.repeat(200) });
    const output = await bench.succeed(['redact', id, '--text', '-', '--yes'], { stdin: `${SECRET}\n` });
    assert.match(output, /blanked in 1 text of decision/);
    assert.match(output, new RegExp(`is also in evidence ${evidence?.[0]}`));
    assert.match(output, /Backups, exports and logs/);
    await bench.succeed(['redact', evidence?.[0] ?? '', '--yes']);
    for (const name of readdirSync(bench.folder).filter((each) => each.startsWith('memory.db'))) {
      const bytes = readFileSync(join(bench.folder, name)).toString('latin1').toLowerCase();
      for (const trace of [SECRET.toLowerCase(), 'zq81xbhunter2']) assert(!bytes.includes(trace), name);
    }
    assert.equal(
      (await server.call('mama_search', { query: 'key' })).results[0]?.decision,
      'The key is [REDACTED]',
    );
    const refused = await bench.run(['redact', id, '--text', 'not there']);
    assert.equal(refused.code, 3);
  });

  it('[C-3] backup --restore --force puts a damaged file aside, and its records come back', async (test) => {
    const bench = workbench(test, 'here');
    await bench.run(['tool', 'mem_save', 'kept', 'kept']);
    const backup = join(bench.folder, 'good.db');
    await bench.succeed(['backup', backup]);
    const bytes = readFileSync(bench.db);
    writeFileSync(bench.db, bytes.fill(0xa5, 4_096));
    assert.equal((await bench.run(['backup', '--restore', backup])).code, 5, 'only when it is forced');
    const { code, stdout } = await bench.run(['backup', '--restore', backup, '--force', '--yes']);
    assert.equal(code, 0);
    assert.match(stdout, /damaged file was put aside: .*memory\.db\.damaged/);
    assert.match(await bench.succeed(['tool', 'mem_search', 'kept']), /kept/);
    assert(readFileSync(`${bench.db}.damaged`).includes(Buffer.alloc(1_000, 0xa5)));
  });
});
