import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { rolldown } from 'rolldown';
import { optionsOf, postgres, scratch } from './support/engines.ts';
import { newWorkspace, SERVER } from './support/postgres.ts';
import { ROOT } from './support/program.ts';

const PROGRAM = `
  import { openMemory, PrecedentError } from 'precedent-memory';
  async function main() {
    const memory = await openMemory(JSON.parse(process.argv[2]));
    await memory.mama.save({ topic: 'a:b', decision: 'Use cookies' });
    const { entries } = await memory.recall({ task: 'cookies' });
    const error = await memory.decision.get({ id: 'nobody' }).catch((error) => error);
    await memory.close();
    console.log(entries.length, error instanceof PrecedentError, error.reason);
  }
  main();`;
const PRINTED = '1 true no_record\n';

describe('the library in the program of a user', () => {
  const folder = scratch();
  mkdirSync(join(folder, 'node_modules'));
  for (const [name, target] of [
    ['precedent-memory', ROOT],
    ['zod', join(ROOT, 'node_modules', 'zod')],
  ] as const)
    symlinkSync(target, join(folder, 'node_modules', name), 'junction');
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');

  function run(program: string, name: string, ...args: string[]): string {
    writeFileSync(join(folder, name), program);
    return start(join(folder, name), ...args);
  }

  function start(file: string, ...args: string[]): string {
    return execFileSync(process.execPath, [file, ...args], { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
  }

  /** Bundles the program, all of the library with it, in a folder without packages. @returns its folder */
  async function bundled(format: 'esm' | 'cjs'): Promise<string> {
    writeFileSync(join(folder, 'app.js'), PROGRAM);
    const problems: string[] = [];
    const bundle = await rolldown({
      input: join(folder, 'app.js'),
      cwd: folder,
      platform: 'node',
      // A part that is loaded later alone, and at once here, is no problem.
      onLog: (_, { code, message }) => {
        if (code !== 'INEFFECTIVE_DYNAMIC_IMPORT') problems.push(message);
      },
    });
    const dir = scratch();
    const entryFileNames = format === 'esm' ? 'app.mjs' : 'app.cjs';
    await bundle.write({
      dir,
      format,
      minify: true,
      entryFileNames,
      chunkFileNames: `[name]-[hash].${format === 'esm' ? 'mjs' : 'cjs'}`,
    });
    assert.deepEqual(problems, []);
    return dir;
  }

  for (const format of ['esm', 'cjs'] as const)
    it(`[LB-6] runs from a bundle, ${format}`, async (test) => {
      const dir = await bundled(format);
      const bytes = readdirSync(dir).reduce((all, file) => all + statSync(join(dir, file)).size, 0);
      test.diagnostic(`a bundle of a small program, minified: ${Math.round(bytes / 1000)} kB`);
      assert(bytes < 2_000_000, `${bytes} bytes`);
      const file = join(dir, format === 'esm' ? 'app.mjs' : 'app.cjs');
      assert.equal(start(file, JSON.stringify({ db: ':memory:' })), PRINTED);
    });

  it('[LB-6] reaches a server from its bundle', optionsOf(postgres), async () => {
    const place = { db: SERVER, workspace: newWorkspace() };
    assert.equal(start(join(await bundled('esm'), 'app.mjs'), JSON.stringify(place)), PRINTED);
  });

  it('[LB-6] is one, however it is loaded, and CommonJS for what cannot require ES modules', () => {
    const both = `
      const { PrecedentError } = require('precedent-memory');
      const { openMemory } = require(${JSON.stringify(join(ROOT, 'dist', 'index.cjs'))});
      import('precedent-memory').then((it) => console.log(it.PrecedentError === PrecedentError, typeof openMemory));`;
    assert.equal(run(both, 'both.cjs'), 'true function\n');
  });

  it('[LB-6] changes nothing of its host: no global, no listener, no registry of zod', () => {
    const host = `
      import * as z from 'zod';
      z.config(z.locales.ko());
      const fact = z.string().meta({ id: 'Fact', description: 'of the host' });
      const ofZod = () => JSON.stringify(z.toJSONSchema(z.globalRegistry)) + z.string().safeParse(5).error.message;
      const seen = () => [
        ...Reflect.ownKeys(globalThis).map(String),
        ...[Object, Array, String, Date, Promise, Error, Error.prototype, Object.prototype, Array.prototype, process]
          .flatMap((each) => Reflect.ownKeys(each).map(String)),
        ...process.eventNames(), Error.stackTraceLimit, ofZod(),
      ].join();
      const before = seen();
      const { openMemory } = await import('precedent-memory');
      const memory = await openMemory({ db: ':memory:' });
      memory.tools('all');
      await memory.mama.save({ topic: 'a:b', decision: 'c' });
      await memory.close();
      console.log(seen() === before);`;
    assert.equal(run(host, 'host.js'), 'true\n');
  });
});
