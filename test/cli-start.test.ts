import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { operations } from '../src/operations/index.ts';
import { PROGRAM, workbench } from './support/program.ts';

/** Says at its end which parts of the program a process has loaded, in their order, and how large they are. */
const COUNTER = `
const fs = require('node:fs');
process.on('exit', () => {
  const files = Object.keys(require.cache).filter((file) => /[\\\\/]dist[\\\\/][^\\\\/]*[.]cjs$/.test(file));
  const loaded = files.map((file) => [file, fs.statSync(file).size]);
  fs.writeFileSync(process.env.LOADED, JSON.stringify(loaded));
});
`;

/** What a command loads. Time differs from machine to machine; this does not. */
async function loadedBy(test: TestContext, args: string[]) {
  const bench = workbench(test);
  await bench.succeed(['decide', 'auth:token', 'Cookies']);
  const [counter, report] = [join(bench.folder, 'counter.cjs'), join(bench.folder, 'loaded.json')];
  writeFileSync(counter, COUNTER);
  await bench.succeed(args, { env: { NODE_OPTIONS: `--require=${counter}`, LOADED: report } });
  const all: [path: string, bytes: number][] = JSON.parse(readFileSync(report, 'utf8'));
  return {
    names: all.map(([path]) => basename(path)),
    kilobytes: all.reduce((sum, [, bytes]) => sum + bytes, 0) / 1024,
  };
}

describe('[U-9] a command loads its own operation and no other', () => {
  // About a fifth more than each loads today.
  for (const [args, kilobytes] of [
    [['--version'], 410],
    [['tool', 'mama_save', '--help'], 410],
    [['complete', '--', 'why', 'a'], 410],
    [['--help'], 410],
    [['tool', 'decision_get', 'auth:token'], 1_600],
    [['list'], 1_700],
    [['tool', 'mama_search', 'cookies'], 1_700],
    [['search', 'cookies'], 1_700],
    [['recall', 'cookies'], 1_700],
    [['doctor'], 1_900],
  ] as const) {
    it(`precedent ${args.join(' ')}`, async (test) => {
      const { names, kilobytes: size } = await loadedBy(test, [...args]);
      test.diagnostic(`${names.length} files, ${size.toFixed(0)} kB`);
      assert(size <= kilobytes, `${size.toFixed(0)} kB`);
      assert(!names.some((name) => /^(o200k|stdio|index)/.test(name)), names.join(', '));
    });
  }

  it('its own operation alone', async (test) => {
    const { names } = await loadedBy(test, ['tool', 'decision_get', 'auth:token']);
    // One word may also be the name of a file of the store.
    const all = operations.map(({ name }) => name.replaceAll('_', '-')).filter((name) => name.includes('-'));
    const loaded = names.map((name) => name.replace(/-[^-]*\.cjs$/, '')).filter((name) => all.includes(name));
    assert.deepEqual(loaded, ['decision-get']);
  });
});

describe('[U-8] help whose reader has seen enough', () => {
  for (const args of [['--version'], ['--help'], ['list', '--help'], ['completion', 'bash']])
    it(`precedent ${args.join(' ')}`, () => {
      // The reader is gone long before Node has started.
      const { stderr } = spawnSync('sh', ['-c', '"$0" "$@" | true', process.execPath, PROGRAM, ...args], {
        encoding: 'utf8',
      });
      assert.equal(stderr, '');
    });
});
