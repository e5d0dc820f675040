import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
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

  it('is not used from a folder that others may write or reach', async (test) => {
    for (const mode of [0o777, 0o711]) {
      const folder = await started(test, (caches) => {
        mkdirSync(join(caches, 'precedent'), { recursive: true });
        chmodSync(join(caches, 'precedent'), mode);
      });
      assert.deepEqual(readdirSync(folder), [], mode.toString(8));
    }
  });

  it('[U-9] [A-3] is written by the first command and the first hook, and read by the next ones', async (test) => {
    const bench = workbench(test);
    const caches = join(bench.folder, 'caches');
    const env = { XDG_CACHE_HOME: caches, NODE_COMPILE_CACHE: undefined };
    const files = () =>
      readdirSync(join(caches, 'precedent'), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => statSync(join(parentPath, name)))
        .map(({ ino, mtimeMs, size }) => ({ ino, mtimeMs, size }))
        .sort((one, other) => one.ino - other.ino);
    const command = () => bench.succeed(['list'], { env });
    const hook = () => bench.run(['hook', 'claude'], { env, stdin: '{}' });
    await bench.succeed(['decide', 'auth:token', 'Cookies'], { env });
    await command();
    const ofCommands = files();
    assert((await hook()).code === 0);
    const all = files();
    assert(all.length > ofCommands.length && ofCommands.length > 3, `${ofCommands.length}, ${all.length}`);
    await command();
    await hook();
    assert.deepEqual(files(), all, 'nothing is compiled or written again');
  });

  it('[U-9] [A-2] is made anew where it is damaged, and commands and hooks go on where none can be kept', async (test) => {
    const bench = workbench(test);
    const caches = join(bench.folder, 'caches');
    const folder = join(caches, 'precedent');
    const env = { XDG_CACHE_HOME: caches, NODE_COMPILE_CACHE: undefined };
    await bench.succeed(['decide', 'auth:token', 'Cookies'], { env });
    const works = async () => {
      assert.match(await bench.succeed(['list'], { env }), /auth:token/);
      assert.deepEqual(await bench.run(['hook', 'claude'], { env, stdin: '{}' }), {
        ...{ code: 0, stdout: '', stderr: '' },
      });
    };
    await works();
    const kept = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name));
    assert(kept.length > 3, kept.join());
    for (const file of kept) writeFileSync(file, readFileSync(file).fill(0, statSync(file).size >> 1));
    await works();
    const renewed = kept.filter((file) => readFileSync(file).subarray(-100).some(Boolean));
    assert(renewed.length > 3, renewed.join());
    rmSync(folder, { recursive: true });
    writeFileSync(folder, 'no folder');
    await works();
  });
});
