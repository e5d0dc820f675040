import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs, { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it, type TestContext } from 'node:test';
import { hoofy } from '../src/interchange/importers/engram/engram.ts';
import { mama } from '../src/interchange/importers/mama/mama.ts';
import { scratch } from './support/engines.ts';

const SAMPLES = join('test', 'fixtures', 'imports');
/** The importer of each sample that is not called after it. */
const IMPORTERS: Record<string, string> = { 'agent-files': 'agents' };

const strace = spawnSync('strace', ['-V']).status === 0;
const WATCHED = strace ? {} : { skip: 'no strace: apt-get install strace' };

/** Calls that change a file, or who may read it. */
const CHANGES =
  /^\w*(unlink|rename|mkdir|rmdir|link|chmod|chown|utime|truncate|creat|mknod|xattr|write)\w*\(/;
const OPENS_TO_WRITE = /\bO_(WRONLY|RDWR|CREAT|TRUNC|APPEND)\b/;
const LOCKS = /^(flock\(|fcntl\(.*F_(OFD_)?SETLK)/;

/** Every sample, as an importer and a path: the files that its expectations name, or its folders. */
function samplesIn(folder: string): [source: string, path: string][] {
  return readdirSync(folder).flatMap((sample): [string, string][] => {
    const whole = join(folder, sample);
    const expected = join(whole, 'expected.json');
    const named = existsSync(expected) ? Object.keys(JSON.parse(readFileSync(expected, 'utf8')).files) : [];
    const files = named.filter((name) => existsSync(join(whole, name)));
    const folders = readdirSync(whole, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const names = files.length > 0 ? files : folders.map(({ name }) => name);
    return names.map((name) => [IMPORTERS[sample] ?? sample, join(whole, name)]);
  });
}

/** A database of a test's own with the sample of a tool in it. */
function theirs(sample: string): string {
  const folder = join(scratch(), 'theirs');
  mkdirSync(folder);
  const path = join(folder, 'memory.db');
  copyFileSync(join(SAMPLES, sample), path);
  return path;
}

/** Something that the owner of a source does whenever a file of it has been copied. */
function meanwhile(test: TestContext, owner: (path: string) => void): void {
  const { copyFileSync: original } = fs;
  fs.copyFileSync = (from, ...rest) => {
    original(from, ...rest);
    owner(String(from));
  };
  syncBuiltinESMExports();
  test.after(() => {
    fs.copyFileSync = original;
    syncBuiltinESMExports();
  });
}

describe('sources of other tools stay as they are', () => {
  it('[I-4] no reader opens anything of its source to write, or locks it', WATCHED, () => {
    const folder = join(scratch(), 'theirs');
    cpSync(SAMPLES, folder, { recursive: true });
    const sources = samplesIn(folder);
    const log = join(scratch(), 'calls');
    const watched = ['-f', '-y', '-qq', '-s', '400', '-o', log, '-e', 'trace=%file,%desc'];
    const asked = JSON.stringify({ sources, home: join(folder, 'agent-files', 'home') });
    const program = [process.execPath, 'test/support/read-sources.ts', asked];
    const { status, stdout, stderr } = spawnSync('strace', [...watched, ...program], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, TMPDIR: scratch() },
    });
    assert.equal(status, 0, stderr);
    const told = stdout.trim().split('\n');
    assert.equal(told.length, sources.length);
    assert(told.filter((line) => /: [1-9]\d*$/.test(line)).length >= sources.length - 1, stdout);
    const calls = readFileSync(log, 'utf8')
      .split('\n')
      .filter((line) => line.includes(folder) && !/execve\(|"\/dev\/null"/.test(line))
      .map((line) => line.replace(/^\d+\s+/, ''));
    assert(calls.some((call) => call.includes('O_RDONLY')));
    const wrong = calls.filter(
      (call) => CHANGES.test(call) || LOCKS.test(call) || (/^open/.test(call) && OPENS_TO_WRITE.test(call)),
    );
    assert.deepEqual(wrong, []);
  });

  it('[I-4] one that its owner has locked is read as it was before, and its owner goes on', () => {
    const path = theirs('hoofy/memory.db');
    const expected = hoofy.read(path, {}).observations.length;
    const owner = new DatabaseSync(path);
    owner.exec('pragma journal_mode = delete; pragma locking_mode = exclusive; pragma cache_size = 1');
    owner.exec('begin exclusive');
    // More than its cache holds: half of it is in the file already, which its journal takes back.
    const text = 'x'.repeat(20_000);
    for (let n = 0; n < 50; n++)
      owner.prepare('update observations set content = ?, title = ?').run(`${text}${n}`, 'changed');
    const { observations } = hoofy.read(path, {});
    assert.equal(observations.length, expected);
    assert(!observations.some(({ title }) => title === 'changed'));
    owner.exec('commit');
    owner.close();
    assert(hoofy.read(path, {}).observations.some(({ title }) => title === 'changed'));
  });

  it('[I-4] one that is written all the time is read whole: between its file and its log, its owner writes, checkpoints and begins another log', (test) => {
    const path = theirs('mama/mama-1.5.11.db');
    const owner = new DatabaseSync(path);
    owner.exec('pragma journal_mode = wal; pragma wal_autocheckpoint = 0');
    let copies = 0;
    const save = () => {
      owner.exec(`insert into decisions (id, topic, decision, confidence, created_at, updated_at)
        select 'decision_live_' || count(*), 'live', hex(randomblob(9000)), 0.5, 1767225600000, 1767225600000 from decisions`);
    };
    save();
    const before = Number(owner.prepare('select count(*) as n from decisions').get()?.n);
    meanwhile(test, (from) => {
      if (!from.startsWith(path)) return;
      copies++;
      // The first copies are of two states of the file; later ones only of a log that grew.
      if (copies <= 4) owner.exec('pragma wal_checkpoint(truncate)');
      for (let n = 0; n < 5; n++) save();
    });
    const { decisions } = mama.read(path, {});
    assert(copies > 4 && copies <= 8, `${copies}`);
    const live = decisions.filter(({ topic }) => topic === 'live').length;
    assert(decisions.length >= before - 1 && live > 0, `${live} of ${decisions.length}`);
    owner.close();
  });
});
