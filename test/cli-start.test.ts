import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { workbench } from './support/program.ts';

/** Says at its end which modules a process has loaded, and how large they are. */
const COUNTER = `
import { registerHooks } from 'node:module';
import { statSync, writeFileSync } from 'node:fs';
const loaded = [];
registerHooks({ load(url, context, next) { if (url.startsWith('file:')) loaded.push(new URL(url)); return next(url, context); } });
process.on('exit', () => writeFileSync(process.env.LOADED, JSON.stringify(loaded.map((url) => [url.pathname, statSync(url).size]))));
`;

/** What a command loads beside its launcher. Time differs from machine to machine; this does not. */
async function loadedBy(test: TestContext, args: string[]) {
  const bench = workbench(test);
  await bench.succeed(['decide', 'auth:token', 'Cookies']);
  const [counter, report] = [join(bench.folder, 'counter.mjs'), join(bench.folder, 'loaded.json')];
  writeFileSync(counter, COUNTER);
  const env = { NODE_OPTIONS: `--import ${counter}`, LOADED: report };
  await bench.succeed(args, { env });
  const all: [path: string, bytes: number][] = JSON.parse(readFileSync(report, 'utf8'));
  return {
    names: all.map(([path]) => path.split('/').at(-1) ?? ''),
    kilobytes: all.reduce((sum, [, bytes]) => sum + bytes, 0) / 1024,
  };
}

describe('[U-9] a command loads its own operation and no other', () => {
  // Twice what each loads today.
  for (const [args, modules, kilobytes] of [
    [['--version'], 16, 260],
    [['mama', 'save', '--help'], 16, 260],
    [['complete', '--', 'why', 'a'], 36, 1_400],
    [['decision', 'get', 'auth:token'], 36, 1_700],
    [['mama', 'search', 'cookies'], 40, 1_700],
  ] as const) {
    it(`precedent ${args.join(' ')}`, async (test) => {
      const { names, kilobytes: size } = await loadedBy(test, [...args]);
      assert(names.length <= modules, `${names.length} modules`);
      assert(size <= kilobytes, `${size.toFixed(0)} kB`);
      assert(!names.some((name) => /^(o200k|stdio|index)/.test(name)), names.join(', '));
    });
  }

  it('its own operation alone', async (test) => {
    const { names } = await loadedBy(test, ['decision', 'get', 'auth:token']);
    const operations = names.filter((name) =>
      /^(decision|mama|mem|memo|keywords|evidence|anchor)-/.test(name),
    );
    assert.deepEqual(
      operations.map((name) => name.replace(/-[^-]*\.js$/, '')),
      ['decision-get'],
    );
  });
});
