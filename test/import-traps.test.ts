import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { chmodSync, copyFileSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { cleanFacts } from '../src/domain/import/clean.ts';
import type { Facts } from '../src/domain/import/facts.ts';
import { openMemory } from '../src/index.ts';
import { engram } from '../src/interchange/importers/engram/engram.ts';
import { IMPORTERS, importerNamed } from '../src/interchange/importers/importers.ts';
import { scratch } from './support/engines.ts';
import { chunkOf, DATABASES, TEXTS, textSource } from './support/trap-sources.ts';

const read = (name: string, path: string) => importerNamed(name).read(path, {});
const textsIn = ({ decisions, observations }: Facts) => [
  ...decisions.map(({ text, evidence }) => [text, evidence?.map((each) => each.text.trim())]),
  ...observations.map(({ content }) => [content]),
];
const all = (facts: Facts) => JSON.stringify(textsIn(cleanFacts(facts)));

/** All that is in a folder: names, bytes and times. */
const stateOf = (folder: string) =>
  readdirSync(folder).map((name) => {
    const path = join(folder, name);
    return [name, createHash('sha256').update(readFileSync(path)).digest('hex'), statSync(path).mtimeMs];
  });

/** What such a tool keeps names nothing else. */
const WITHOUT_LINKS = ['claude-mem'];

describe('traps of sources', { concurrency: 2 }, () => {
  it('every source is here', () => {
    const known = new Set([...Object.keys(DATABASES), ...Object.keys(TEXTS)]);
    assert.deepEqual(
      IMPORTERS.map(({ name }) => name).filter((name) => !known.has(name)),
      [],
      'add a source with every difficult case to test/support/trap-sources.ts',
    );
  });

  for (const [name, source] of Object.entries(DATABASES)) {
    const [table, column] = source.column;

    it(`[I-4] ${name}: read while its owner has it locked, with what is only in its log, from a folder that may not be written, and left as it was`, () => {
      const path = source.make(['said first', 'other']);
      const owner = new DatabaseSync(path);
      const later = column === 'payload' ? '{"data":"said later"}' : 'said later';
      owner.exec(
        `pragma journal_mode = wal; pragma wal_autocheckpoint = 0; update ${table} set ${column} = '${later}' where ${column} like '%first%'`,
      );
      owner.exec('begin exclusive');
      const folder = dirname(path);
      const before = stateOf(folder);
      chmodSync(folder, 0o555);
      const facts = read(name, path);
      chmodSync(folder, 0o755);
      assert.match(all(facts), /said later/);
      assert.deepEqual(stateOf(folder), before);
      owner.exec('rollback');
      // Without its log it is the one of before, and says what is missing only where nothing is left.
      const copy = join(scratch(), 'copy.db');
      copyFileSync(path, copy);
      assert.match(all(read(name, copy)), /said first/);
      owner.close();
    });

    it(`[I-4] ${name}: locked by a journal, cut short, and without the log that has it all`, () => {
      const path = source.make(['said', 'other']);
      const owner = new DatabaseSync(path, { enableForeignKeyConstraints: false });
      owner.exec(`pragma journal_mode = delete; begin exclusive; delete from ${table}`);
      assert.match(all(read(name, path)), /said/);
      owner.exec('rollback');
      owner.close();
      const folder = scratch();
      const whole = readFileSync(path);
      for (const size of [0, 100, 5000, whole.length - 4096]) {
        writeFileSync(join(folder, 'cut.db'), whole.subarray(0, size));
        assert.throws(
          () => read(name, join(folder, 'cut.db')),
          /cannot be read|found (no table|that of another program)/,
          `${size}`,
        );
      }
    });

    it(`[I-2] ${name}: a NUL and bytes that are no UTF-8 come as signs of their own, and are reported`, () => {
      const path = source.make(['a\0b', 'other']);
      assert.match(all(read(name, path)), /a␀b/);
      const broken = source.make(['broken', 'other']);
      const database = new DatabaseSync(broken);
      database.exec(
        `update ${table} set ${column} = cast(replace(cast(${column} as blob), 'broken', x'EC82') as text)`,
      );
      database.close();
      const facts = read(name, broken);
      assert.match(all(facts), /\ufffd/);
      assert.match(facts.warnings.join(), /no UTF-8 became U\+FFFD/);
    });
  }

  for (const name of Object.keys(TEXTS)) {
    const plain = all(read(name, textSource(name, '외벽 said')));

    it(`[I-2] ${name}: a byte order mark, line ends of Windows, NUL, bytes that are no UTF-8`, () => {
      assert.match(plain, /외벽 said/);
      const windows = (text: string) => `\ufeff${text.replaceAll('\n', '\r\n')}`;
      const bare = (text: string) => text.replaceAll('\\r', '');
      assert.equal(bare(all(read(name, textSource(name, '외벽 said', windows)))), bare(plain));
      const isJson = /"/.test(Object.values(TEXTS[name] ?? {})[0] ?? '');
      assert.match(all(read(name, textSource(name, isJson ? 'a\\u0000b' : 'a\0b'))), /a␀b/);
      const broken = (text: string) =>
        Buffer.from(Buffer.from(text).toString('latin1').replaceAll('broken', '\xec\x82'), 'latin1');
      const facts = read(name, textSource(name, 'broken', broken));
      assert.match(all(facts), /\ufffd/);
      assert.match(facts.warnings.join(), /no UTF-8 became U\+FFFD/);
    });

    it(`[I-2] ${name}: a text that was cut short is refused, or what is left of it comes`, () => {
      const cut = textSource(name, '외벽 said', (text) => Buffer.from(text).subarray(0, -7));
      const isJson = /"/.test(Object.values(TEXTS[name] ?? {})[0] ?? '');
      if (isJson) assert.throws(() => read(name, cut), /Nothing was imported/);
      else assert.match(all(read(name, cut)), /외벽 said/);
    });

    it(`[I-4] ${name}: nothing is written next to it, also where nothing may be`, () => {
      const path = textSource(name, '외벽 said');
      const folder = /\.jsonl?$/.test(path) ? dirname(path) : path;
      const before = stateOf(folder);
      chmodSync(folder, 0o555);
      assert.equal(all(read(name, path)), plain);
      chmodSync(folder, 0o755);
      assert.deepEqual(stateOf(folder), before);
    });
  }

  it('[I-2] engram: chunks with a NUL, with a mark of bytes that were none, and cut short', () => {
    const facts = engram.read(chunkOf('a\0b 외벽 \ufffd'), {});
    assert.match(all(facts), /a␀b 외벽/);
    assert.match(facts.warnings.join(), /no UTF-8/);
    const folder = chunkOf('x');
    const chunk = join(folder, '.engram', 'chunks', '00000001.jsonl.gz');
    writeFileSync(chunk, readFileSync(chunk).subarray(0, -9));
    assert.throws(() => engram.read(folder, {}), /cannot be read/);
  });

  it('[I-2] circles and ends that are missing stop no source, and the memory of them all is sound, twice', async () => {
    await using memory = await openMemory({ db: ':memory:' });
    const sources = [
      ...Object.entries(DATABASES).map(([name, { make }]) => read(name, make(['one', 'other']))),
      ...Object.keys(TEXTS)
        .filter((name) => !(name in DATABASES))
        .map((name) => read(name, textSource(name, 'one'))),
    ];
    for (const facts of sources) {
      const merged = await memory.merge(facts);
      const told = [...merged.unresolved, ...merged.warnings].join('\n');
      if (!WITHOUT_LINKS.includes(facts.source)) {
        const wanted = `${facts.source}: its source in test/support/trap-sources.ts names something that is missing, and the import says so`;
        assert.match(told, /gone|observation 7|no such file/, wanted);
      }
    }
    assert.deepEqual((await memory.inspect()).problems, []);
    for (const facts of sources) {
      const merged = await memory.merge(facts);
      const { decisions, observations, relations } = merged;
      assert.deepEqual(
        [decisions, observations, relations].map((each) => each.new + each.changed),
        [0, 0, 0],
        facts.source,
      );
    }
  });

  it('[I-1] a memory of Precedent itself, and files of tools that are read otherwise, are no source, and it is said what is', async () => {
    const path = join(scratch(), 'memory.db');
    await (await openMemory({ db: path })).close();
    for (const name of Object.keys(DATABASES))
      assert.throws(() => read(name, path), /found a memory of Precedent; "precedent import" without/, name);
    const theirs = (sql: string) => {
      const file = join(scratch(), 'theirs.db');
      const database = new DatabaseSync(file);
      database.exec(sql);
      database.close();
      return file;
    };
    assert.throws(
      () => read('mama', theirs('create table entity (permalink text)')),
      /--from basic-memory reads the folder of its notes/,
    );
    assert.throws(
      () => read('hoofy', theirs('create table sdk_sessions (project text)')),
      /--from claude-mem reads it/,
    );
    assert.throws(() => read('engram', theirs('create table x (y text)')), /found that of another program/);
  });
});
