import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { scratch } from './support/engines.ts';
import { ROOT, workbench } from './support/program.ts';

/** A library that is loaded before a program; undefined where it cannot be built. */
const shim = process.platform === 'linux' ? build() : undefined;

function build(): string | undefined {
  const library = join(scratch(), 'no-shared-memory.so');
  const source = join(ROOT, 'test/support/no-shared-memory.c');
  const { status } = spawnSync('gcc', ['-shared', '-fPIC', '-o', library, source, '-ldl']);
  return status === 0 ? library : undefined;
}

describe('a file system without shared memory', {
  ...(shim === undefined && { skip: 'needs Linux and gcc' }),
}, () => {
  it('[TR-5] every call names the cause and the way out, and leaves no file', async (test) => {
    const bench = workbench(test);
    const env = { LD_PRELOAD: shim };
    const said = /does not let processes share memory.*Name a file on a local disk as db, or a server/;
    const first = await bench.run(['decide', 'a:b', 'c', '--db', 'new.db'], { env });
    assert.equal(first.code, 5, first.stderr);
    assert.match(first.stderr, said);
    assert.deepEqual(
      readdirSync(bench.folder).filter((name) => name.startsWith('new.db')),
      [],
    );
    await bench.run(['decide', 'a:b', 'c', '--db', 'old.db']);
    for (const words of [['list'], ['decide', 'a:b', 'd'], ['doctor']]) {
      const { code, stderr } = await bench.run([...words, '--db', 'old.db'], { env });
      assert.equal(code, 5, words.join(' '));
      assert.match(stderr, said);
    }
    const { stdout } = await bench.run(['list', '--db', 'old.db']);
    assert.match(stdout, /a:b/);
  });
});
