import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openMemory } from '../../src/index.ts';
import type { Attack, Scene } from './scene.ts';

/** Calls itself as often as it is asked to: what evaluates it does not end. */
const ENDLESS = '(with recursive n(x) as (select 1 union all select x + 1 from n) select count(*) from n)';
/** Takes half a gigabyte for each row. */
const COSTLY = 'length(hex(zeroblob(450000000))) > 0';
/** Schemas are written by hand: newer versions of Node forbid that unless they are asked. */
const BY_HAND = { defensive: false };

/** Works on a database as its stranger does. */
function withDatabase(file: string, work: (database: DatabaseSync) => void): void {
  mkdirSync(dirname(file), { recursive: true });
  const database = new DatabaseSync(file, { open: true, ...BY_HAND });
  work(database);
  database.close();
}

/** Rewrites a statement in the schema: what SQLite itself would refuse to make. */
function rewrite(database: DatabaseSync, table: string, from: string, to: string): void {
  database.exec('pragma writable_schema = on');
  const { changes } = database
    .prepare('update sqlite_schema set sql = replace(sql, ?, ?) where name = ?')
    .run(from, to, table);
  assert.equal(changes, 1);
}

/** A journal that SQLite rolls back when the database next to it is opened, and that names a file as its super-journal. */
function putJournal(file: string, victim: string): void {
  const whole = readFileSync(file);
  const page = whole.readUInt16BE(16) % 65_535 || 65_536;
  const magic = Buffer.from('d9d505f920a163d7', 'hex');
  const numbers = (...all: number[]) => Buffer.concat(all.map((each) => Buffer.from(uint32(each))));
  const head = Buffer.concat([magic, numbers(0, 0x1234, whole.length / page, 512, page), Buffer.alloc(484)]);
  const name = Buffer.from(victim);
  const sum = name.reduce((all, byte) => all + byte, 0);
  const tail = [numbers(0x4000_0000 / page + 1), name, numbers(name.length, sum), magic];
  writeFileSync(`${file}-journal`, Buffer.concat([head, ...tail]));
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value >>> 0);
  return bytes;
}

/** Decisions of MAMA, in the repository of a stranger. */
function putDecisions({ stranger }: Scene, change: (database: DatabaseSync) => void = () => {}): string {
  const file = join(stranger, 'mama.db');
  withDatabase(file, (database) => {
    database.exec(
      'create table decisions (id text primary key, topic text, decision text, failure_reason text, created_at integer, x text)',
    );
    const insert = database.prepare("insert into decisions values (?, ?, 'D', null, 1770000000000, '')");
    for (let at = 1; at <= 60; at++) insert.run(`a-${at}`, `t${at}`);
    change(database);
  });
  return file;
}

/** A memory of ours in the folder of a stranger, who changes it. */
async function putMemory(scene: Scene, change: (database: DatabaseSync) => void = () => {}): Promise<string> {
  const file = join(scene.stranger, 'evil.db');
  const made = await scene.call([
    'decide',
    'ops:deploy',
    'EVIL',
    '--strength',
    'axis',
    '--scope',
    'global',
    '--db',
    file,
  ]);
  assert.equal(made.code, 0, made.stderr);
  withDatabase(file, change);
  return file;
}

const hookInput = ({ stranger }: Scene) =>
  JSON.stringify({ hook_event_name: 'SessionStart', session_id: 's', source: 'startup', cwd: stranger });

/** The ways in which a memory file is opened. @param said why it is not */
function opens(prepare: (scene: Scene) => Promise<string>, said: RegExp): Attack['faces'] {
  const command = (words: (file: string) => string[]) => async (scene: Scene) => {
    const { code, stdout, stderr } = await scene.run(words(await prepare(scene)));
    assert.notEqual(code, 0);
    assert.match(stderr.replace(/\s+/g, ' '), said);
    assert.doesNotMatch(stdout, /EVIL/);
  };
  return {
    list: command((file) => ['list', '--db', file]),
    decide: command((file) => ['decide', 'a:b', 'c', '--db', file]),
    doctor: command((file) => ['doctor', '--db', file]),
    copy: command((file) => ['--db', 'copy.db', 'import', file]),
    hook: async (scene) => {
      const file = await prepare(scene);
      const { stdout } = await scene.run(['hook', 'claude', '--db', file], { stdin: hookInput(scene) });
      assert.doesNotMatch(stdout, /EVIL/);
    },
    library: async (scene) => {
      const error = await openMemory({ db: await prepare(scene) }).catch((refused: Error) => refused);
      assert(error instanceof Error);
      assert.match(error.message, said);
    },
  };
}

/** The ways in which the database of another tool is read. */
function imports(change: (database: DatabaseSync) => void, told: RegExp): Attack['faces'] {
  return {
    auto: async (scene) => {
      putDecisions(scene, change);
      const { stderr } = await scene.run(['import', '--from', 'auto', 'mama.db']);
      assert.doesNotMatch(stderr, /internal/);
    },
    named: async (scene) => {
      const file = putDecisions(scene, change);
      const { stdout, stderr } = await scene.run(['import', '--from', 'mama', '--dry-run', file, '--json']);
      assert.match((stdout + stderr).replace(/\s+/g, ' '), told);
    },
  };
}

const BESIDE = ['-journal', '-wal', '-shm', '-owner'];

/** What a database file tries that a stranger wrote. */
export const DATABASES: Attack[] = [
  {
    tries: 'a memory whose journal names a file that SQLite deletes [Z-11]',
    faces: {
      ...opens(async (scene) => {
        const file = await putMemory(scene);
        putJournal(file, join(scene.outside, 'precious.txt'));
        return file;
      }, /a journal that names another file, which SQLite would delete/),
      environment: async (scene) => {
        const file = await putMemory(scene);
        putJournal(file, join(scene.outside, 'precious.txt'));
        const { code } = await scene.run(['recall', 'deploy'], { env: { PRECEDENT_DB: file } });
        assert.equal(code, 5);
      },
      restore: async (scene) => {
        const file = await putMemory(scene);
        putJournal(file, join(scene.outside, 'precious.txt'));
        const { code, stderr } = await scene.run(['--db', 'restored.db', 'backup', '--restore', file]);
        assert.equal(code, 0, stderr);
      },
      'its lock': async (scene) => {
        const file = await putMemory(scene);
        // A log without its memory is put aside, under a lock.
        renameSync(file, `${file}-lock`);
        putJournal(`${file}-lock`, join(scene.outside, 'precious.txt'));
        writeFileSync(`${file}-wal`, 'a log');
        const { code } = await scene.run(['decide', 'a:b', 'c', '--db', file]);
        assert.equal(code, 5);
      },
      'SQLite alone': (scene) => {
        const victim = scene.put('victim.txt', 'precious');
        const file = putDecisions(scene);
        putJournal(file, victim);
        withDatabase(file, (database) => database.exec('select * from decisions'));
        const [, minor = 0, patch = 0] = (process.versions.sqlite ?? '').split('.').map(Number);
        // Where SQLite no longer does it, the cases above show nothing: .ci/run has Nodes on which it does.
        if (minor < 53 || (minor === 53 && patch < 2)) assert(!existsSync(victim), 'the attack works');
      },
    },
  },
  {
    tries: 'a database of another tool whose journal names a file that SQLite deletes [Z-11]',
    faces: Object.fromEntries(
      Object.entries({
        auto: ['import', '--from', 'auto', 'mama.db'],
        named: ['import', '--from', 'mama', '--dry-run', 'mama.db'],
      }).map(([face, words]) => [
        face,
        async (scene: Scene) => {
          putJournal(putDecisions(scene), join(scene.outside, 'precious.txt'));
          const { stdout, stderr } = await scene.run(words);
          // What cannot be read tells nobody whose it is.
          const said =
            face === 'auto'
              ? /found nothing at .* that tells which tool wrote it/
              : /its journal names another file/;
          assert.match((stdout + stderr).replace(/\s+/g, ' '), said);
        },
      ]),
    ),
  },
  {
    tries: 'links and named pipes next to a memory [Z-11]',
    faces: Object.fromEntries(
      BESIDE.flatMap((ending) => [
        [
          `a pipe as ${ending}`,
          async (scene: Scene) => {
            const file = await putMemory(scene);
            rmSync(file + ending, { force: true });
            execFileSync('mkfifo', [file + ending]);
            const { code, stderr } = await scene.run(['list', '--db', file]);
            assert.equal(code, 5, stderr);
            assert.match(stderr, /a named pipe/);
          },
        ],
        [
          `a link as ${ending}`,
          async (scene: Scene) => {
            const file = await putMemory(scene);
            rmSync(file + ending, { force: true });
            symlinkSync(join(scene.outside, 'precious.txt'), file + ending);
            const { code, stderr } = await scene.run(['decide', 'a:b', 'c', '--db', file]);
            assert.equal(code, 5, stderr);
            assert.match(stderr, /found a link/);
          },
        ],
      ]),
    ),
  },
  {
    tries: 'a link where the note of a log is written first [Z-11]',
    faces: {
      library: async (scene) => {
        const file = await putMemory(scene);
        rmSync(`${file}-owner`, { force: true });
        symlinkSync(join(scene.outside, 'precious.txt'), `${file}-owner.${process.pid}`);
        await (await openMemory({ db: file })).close();
      },
    },
  },
  ...Object.entries({
    'a view in the place of a table': (database: DatabaseSync) =>
      database.exec(`alter table topics rename to t; create view topics as select *, ${ENDLESS} as n from t`),
    'a trigger that changes what is saved': (database: DatabaseSync) =>
      database.exec(
        "create trigger t after insert on decisions begin update decisions set text = 'EVIL'; end",
      ),
    'an index of an expression': (database: DatabaseSync) =>
      database.exec('create index i on decisions (length(hex(zeroblob(1000))))'),
    'a check of another making': (database: DatabaseSync) =>
      rewrite(database, 'decisions', 'check (', `check (${COSTLY}), check (`),
    'a computed column': (database: DatabaseSync) =>
      database.exec('alter table meta add column c text as (length(hex(zeroblob(1000))))'),
    'a table of its own': (database: DatabaseSync) => database.exec('create table other (x)'),
  }).map(([what, change]) => ({
    tries: `${what} in a memory [Z-11]`,
    faces: {
      ...opens((scene) => putMemory(scene, change), /Expected only what Precedent makes in the memory file/),
      restore: async (scene: Scene) => {
        const file = await putMemory(scene, change);
        const { code, stderr } = await scene.run(['--db', 'restored.db', 'backup', '--restore', file]);
        assert.equal(code, 5, stderr);
        assert.match(stderr, /Expected only what Precedent makes/);
      },
    },
  })),
  {
    tries: 'a memory in the folder that a relative setting opens [Z-11]',
    faces: Object.fromEntries(
      Object.entries({ recall: ['recall', 'deploy'], hook: ['hook', 'claude'] }).map(([face, words]) => [
        face,
        async (scene: Scene) => {
          await putMemory(scene);
          const env = { PRECEDENT_DB: 'evil.db' };
          const { stdout } = await scene.run(words, { env, stdin: hookInput(scene) });
          assert.doesNotMatch(stdout, /EVIL/);
        },
      ]),
    ),
  },
  {
    tries: 'a check that costs half a gigabyte for each row [Z-11]',
    faces: imports(
      (database) => rewrite(database, 'decisions', 'x text', `x text, check (${COSTLY})`),
      /"decisions": { "new": 60/,
    ),
  },
  {
    tries: 'a computed column that costs half a gigabyte for each row [Z-11]',
    faces: imports(
      (database) => rewrite(database, 'decisions', 'x text', `x text, y text not null as (${COSTLY})`),
      /found one whose table decisions has computed columns/,
    ),
  },
  {
    tries: 'a view that does not end in the place of the decisions [Z-11]',
    faces: imports(
      (database) =>
        database.exec(
          `alter table decisions rename to t; create view decisions as select id, topic, ${ENDLESS} as decision, failure_reason from t`,
        ),
      /found that of another program/,
    ),
  },
  {
    tries: 'a virtual table that is stated as a table, over a view that does not end [Z-11]',
    faces: imports((database) => {
      database.exec(
        `alter table decisions rename to t; create view v as select rowid, ${ENDLESS} as failure_reason from t`,
      );
      database.exec("create virtual table decisions using fts5(failure_reason, content = 'v')");
      rewrite(database, 'decisions', 'CREATE VIRTUAL', 'create/**/virtual');
    }, /found that of another program/),
  },
  {
    tries: 'tables that lie on the same pages again and again [Z-11]',
    faces: imports((database) => {
      database.exec('pragma writable_schema = on; begin');
      const again = database.prepare(
        `insert into sqlite_schema select type, 'decisions' || ?, 'decisions' || ?, rootpage, replace(sql, 'decisions', 'decisions' || ?)
          from sqlite_schema where name = 'decisions'`,
      );
      for (let at = 1; at <= 300; at++) again.run(at, at, at);
      database.exec('commit');
    }, /is damaged|cannot be read/),
  },
];
