import assert from 'node:assert/strict';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { workbench } from './support/program.ts';

/** Modes of files mean nothing on Windows, where a user's folders are the user's. */
const skip = process.platform === 'win32' && 'Windows has no modes';

describe('compiled code that is kept for the next start', { skip }, () => {
  /** Starts the program with a home and a temporary folder of their own. */
  async function started(
    test: Parameters<typeof workbench>[0],
    prepare: (caches: string) => void = () => {},
  ) {
    const bench = workbench(test);
    const temporary = join(bench.folder, 'tmp');
    mkdirSync(temporary);
    const caches = join(bench.folder, '.cache');
    prepare(caches);
    const env = { TMPDIR: temporary, XDG_CACHE_HOME: undefined, NODE_COMPILE_CACHE: undefined };
    await bench.succeed(['--version'], { env });
    assert.deepEqual(readdirSync(temporary), [], 'nothing lies where others of the machine may write');
    return join(caches, 'precedent');
  }

  it('lies in a folder that is the user’s alone, never in the temporary folder', async (test) => {
    const folder = await started(test);
    assert.equal(statSync(folder).mode & 0o777, 0o700);
    assert(readdirSync(folder).length > 0, 'something was kept');
  });

  it('is not used from a folder in which others may write', async (test) => {
    const folder = await started(test, (caches) => {
      mkdirSync(join(caches, 'precedent'), { recursive: true });
      chmodSync(join(caches, 'precedent'), 0o777);
    });
    assert.deepEqual(readdirSync(folder), []);
  });

  /** A bench whose commands keep their compiled code, and that of the chunk that most commands share. */
  function keeping(test: Parameters<typeof workbench>[0]) {
    const bench = workbench(test);
    const caches = join(bench.folder, 'caches');
    const run = (...args: string[]) => bench.succeed(args, { env: { XDG_CACHE_HOME: caches } });
    const shared = () => {
      const folder = join(caches, 'precedent');
      const name = readdirSync(folder).find((each) => each.startsWith('command-')) ?? 'none';
      return join(folder, name);
    };
    return { run, shared };
  }

  it('[U-9] holds what ran, grows with a command that is new here, and stays for one that is not', async (test) => {
    const { run, shared } = keeping(test);
    await run('decide', 'auth:token', 'Cookies');
    await run('list');
    const first = statSync(shared());
    await run('list');
    assert.deepEqual(statSync(shared()).mtimeMs, first.mtimeMs, 'nothing new');
    await run('recall', 'cookies');
    assert(statSync(shared()).size > first.size, 'with what ran before');
    assert.equal(first.mode & 0o777, 0o600);
  });

  it('[U-9] goes after a month, of whatever version, when other code is kept', async (test) => {
    const { run, shared } = keeping(test);
    await run('decide', 'auth:token', 'Cookies');
    const folder = join(shared(), '..');
    const file = (name: string, days: number) => {
      writeFileSync(join(folder, name), 'x');
      const at = statSync(shared()).mtimeMs / 1000 - days * 24 * 60 * 60;
      utimesSync(join(folder, name), at, at);
    };
    file('main-00000000.cjs-v22.18.0-x64', 31);
    file('main-00000000.cjs-v24.0.0-x64.4711', 31);
    file('main-00000001.cjs-v24.0.0-x64', 29);
    file('of somebody else', 31);
    await run('list', 'topics');
    const left = readdirSync(folder).filter((name) => name.startsWith('main-0000000') || name.includes(' '));
    assert.deepEqual(left.sort(), ['main-00000001.cjs-v24.0.0-x64', 'of somebody else']);
  });

  it('[U-9] is kept anew once a day, and when it was damaged', async (test) => {
    const { run, shared } = keeping(test);
    await run('decide', 'auth:token', 'Cookies');
    await run('list');
    const whole = readFileSync(shared());
    const dayBefore = statSync(shared()).mtimeMs / 1000 - 25 * 60 * 60;
    utimesSync(shared(), dayBefore, dayBefore);
    assert.match(await run('list'), /auth:token/);
    assert(statSync(shared()).mtimeMs / 1000 > dayBefore + 60 * 60);
    writeFileSync(shared(), whole.fill(0, 100, 5_000));
    assert.match(await run('list'), /auth:token/);
    const made = readFileSync(shared());
    assert(made.length > 100_000 && !made.equals(whole));
  });
});
