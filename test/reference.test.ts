import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { derivedSources } from '../scripts/catalogue.ts';
import { refusingSources, roomsOf } from '../scripts/errors-page.ts';
import { committed } from '../scripts/manifests.ts';
import { recordsPage } from '../scripts/records-page.ts';
import { REFUSALS } from '../src/domain/error.ts';
import { openMemory } from '../src/index.ts';
import { optionsOf, postgres, scratch } from './support/engines.ts';
import { newDatabase, query } from './support/postgres.ts';

const TABLE_OF_RECORDS = 'docs/decisions/README.md';
/** The statements by which a file is known for ours. */
const NEWEST_SCHEMA = 'src/store/sqlite/newest-schema.ts';

/** What `npm run check` runs, on the docs of a folder. */
function check(cwd: string): { status: number | null; stderr: string } {
  const script = resolve('scripts/reference.ts');
  // The oldest Node calls its SQLite experimental on stderr.
  const args = ['--disable-warning=ExperimentalWarning', script, '--check'];
  return spawnSync(process.execPath, args, { cwd, encoding: 'utf8' });
}

/** What `npm run reference` refuses the records of a folder for, on which the pages that it compares do not depend. */
function problemsIn(folder: string): string {
  try {
    recordsPage(folder);
  } catch (error) {
    return (error as Error).message;
  }
  return assert.fail('the records are not refused');
}

/** A copy of what is generated, and what it follows from, in which some files read differently. */
function docsWith(edits: [file: string, edit: (text: string) => string][]): string {
  const folder = scratch();
  for (const part of ['docs', 'plugin', 'skills']) cpSync(part, join(folder, part), { recursive: true });
  for (const path of [...committed(), ...derivedSources()].map(([path]) => path).concat(NEWEST_SCHEMA))
    cpSync(path, join(folder, path));
  for (const [file, edit] of edits) {
    const path = join(folder, file);
    const before = readFileSync(path, 'utf8');
    writeFileSync(path, edit(before));
    assert.notEqual(readFileSync(path, 'utf8'), before, `${file} is edited`);
  }
  return folder;
}

/** The file of a record in docs/decisions/. */
function record(number: string): string {
  return globSync(`docs/decisions/${number}-*.md`)[0] ?? '';
}

describe('the names of refusals', () => {
  it('are in snake case, each under one code, and each is said somewhere [B-3]', () => {
    const sources = refusingSources();
    const all = Object.entries(REFUSALS).flatMap(([code, names]) =>
      Object.keys(names).map((name) => ({ code, name })),
    );
    for (const { code, name } of all) {
      assert.match(name, /^[a-z]+(_[a-z0-9]+)*$/);
      assert.deepEqual(
        all.filter((each) => each.name === name),
        [{ code, name }],
      );
      assert.notDeepEqual(roomsOf(code, name, sources), [], `${code}/${name} is said`);
    }
  });
});

describe('generated pages', () => {
  it('are up to date', () => {
    const { status, stderr } = check('.');
    assert.deepEqual({ status, stderr }, { status: 0, stderr: '' });
  });

  it('each of them that was changed by hand is named', () => {
    const sources = derivedSources().map(([path]) => path);
    const pages = [...globSync('docs/reference/*'), NEWEST_SCHEMA, ...sources];
    const folder = docsWith([
      ...pages.map((page): [string, (text: string) => string] => [page, (text) => `${text}\n`]),
      [TABLE_OF_RECORDS, (text) => text.replace('Superseded by', 'Replaced by')],
    ]);
    const { status, stderr } = check(folder);
    assert.equal(status, 1);
    const named = stderr.trim().split('\n').sort();
    assert.deepEqual(
      named,
      [TABLE_OF_RECORDS, ...pages].map((page) => `${page} is stale: run "npm run reference".`).sort(),
    );
  });

  it('records whose date and status cannot be right are refused, each with its reason', () => {
    const folder = docsWith([
      [record('0003'), (text) => text.replace(/^date: .*\n/m, '')],
      [record('0004'), (text) => text.replace('status: accepted', 'status: acepted')],
      [record('0005'), (text) => text.replace('status: accepted', 'status: superseded')],
      [record('0006'), (text) => text.replace('# 0006. ', '# ')],
      // A later record has its topic.
      [record('0010'), (text) => text.replace(/^status: .*\nsuperseded_by: .*\n/m, 'status: accepted\n')],
      [
        record('0012'),
        (text) => text.replace('status: accepted', 'status: superseded\nsuperseded_by: "9999"'),
      ],
    ]);
    const problems = problemsIn(folder);
    for (const [number, expected] of [
      ['0003', 'a date such as 2026-11-21.'],
      ['0004', 'a status out of accepted, superseded, withdrawn.'],
      ['0005', 'superseded_by when the status is superseded, and only then.'],
      ['0006', 'a title such as "# 0001. Title".'],
      ['0010', 'superseded_by: "0011", the next record on its topic.'],
      ['0012', 'a record 9999, which superseded_by names.'],
    ] as const) {
      assert(problems.includes(`${record(number)}: expected ${expected}`), `${number} in: ${problems}`);
    }
    assert.doesNotMatch(problems, /00(01|02|08|11)-/);
  });

  it('records that contradict one another or themselves are refused, each with its reason', () => {
    const replaced = (from: string, to: string) => (text: string) => text.replace(from, to);
    const folder = docsWith([
      [record('0003'), (text) => text.replace(/^date: .*$/m, 'date: 2026-02-30')],
      [record('0004'), replaced('builds_on: "0003"', 'builds_on: "0003, 9999"')],
      [record('0005'), replaced('builds_on: "0003"', 'builds_on: "0006"')],
      [record('0006'), replaced('# 0006. ', '# 0007. ')],
      [record('0015'), replaced('builds_on: "0005"', 'builds_on: 0005')],
      // Named: a record on another topic, and an earlier one on the same topic.
      [record('0011'), replaced('topic: storage:folders', 'topic: storage:mkdir')],
      [record('0012'), replaced('status: accepted', 'status: superseded\nsuperseded_by: "0001"')],
    ]);
    cpSync(join(folder, record('0008')), join(folder, 'docs/decisions/0008-again.md'));
    const problems = problemsIn(folder);
    const expected = [
      [record('0003'), 'a date such as 2026-11-21.'],
      [record('0004'), 'builds_on to name earlier records, not 9999.'],
      [record('0005'), 'builds_on to name earlier records, not 0006.'],
      [record('0006'), 'the heading to begin with "# 0006.".'],
      [record('0015'), 'the numbers in builds_on in double quotes.'],
      ['docs/decisions/0008-again.md', '0008 to be its number alone.'],
      [record('0008'), '0008 to be its number alone.'],
      [record('0010'), 'superseded_by to name a later record on the topic storage:folders, not 0011.'],
      [record('0012'), 'superseded_by to name a later record on the topic privacy:redaction, not 0001.'],
    ] as const;
    for (const [file, what] of expected)
      assert(problems.includes(`${file}: expected ${what}`), `${file} in: ${problems}`);
    assert.doesNotMatch(problems, /00(01|02|11|18)-/);
  });

  it('schema.sql makes the very tables and indexes of a new file', async () => {
    const file = join(scratch(), 'memory.db');
    await (await openMemory({ db: file })).close();
    const written = new DatabaseSync(':memory:');
    written.exec(readFileSync('docs/reference/schema.sql', 'utf8'));
    const real = new DatabaseSync(file, { readOnly: true });
    assert.deepEqual(objectsOf(written), objectsOf(real));
    real.close();
  });

  it(
    'schema-postgres.sql makes the very tables and indexes of a new database',
    optionsOf(postgres),
    async () => {
      const [made, written] = [(await newDatabase()).db, (await newDatabase()).db];
      await (await openMemory({ db: made })).close();
      const statements = readFileSync('docs/reference/schema-postgres.sql', 'utf8');
      await query(`create schema precedent; set search_path to precedent; ${statements}`, [], written);
      const expected = await catalogOf(made);
      assert(expected.length > 200, `${expected.length} columns, constraints and indexes`);
      assert.deepEqual(await catalogOf(written), expected);
    },
  );
});

/** All that a SQLite database is made of, without blanks and quotes: a name of each with its SQL. */
function objectsOf(database: DatabaseSync): string[] {
  return database
    .prepare('select type, name, sql from sqlite_master')
    .all()
    .map(({ type, name, sql }) => `${type} ${name}: ${String(sql).replace(/["\s]/g, '').toLowerCase()}`)
    .sort();
}

/** Columns, constraints and indexes of the tables of a database, a line each. */
async function catalogOf(db: string): Promise<string[]> {
  const rows = await query(
    `select concat_ws(' ', table_name, column_name, data_type, udt_name, is_nullable, column_default, collation_name,
        is_identity, identity_generation, character_maximum_length) as line
      from information_schema.columns where table_schema = 'precedent' and (table_name like 'all\\_%' or table_name = 'workspaces')
    union all
    select concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid))
      from pg_catalog.pg_constraint where connamespace = 'precedent'::regnamespace
    union all
    select indexdef from pg_catalog.pg_indexes where schemaname = 'precedent'`,
    [],
    db,
  );
  return rows.map(({ line }) => String(line)).sort();
}
