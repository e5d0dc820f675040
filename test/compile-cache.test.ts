import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs';
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
});
