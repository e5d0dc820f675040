import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { rolldown } from 'rolldown';
import pkg from '../package.json' with { type: 'json' };
import { operations } from '../src/operations/index.ts';
import { COMMON, hookBundle } from './bundle.ts';
import { frozen, SOURCES } from './frozen.ts';
import { licences } from './licences.ts';
import { manualPage } from './man.ts';
import { libraryTypes } from './types.ts';

/** How many entries share a module that goes into a shared chunk. */
const SHARED = 6;
const STORE = /src[\\/](domain|store)[\\/]|node_modules[\\/]kysely/;
const OPERATIONS = /src[\\/](operations|memory)[\\/]|node_modules[\\/](zod|fast-)/;
/** What takes every operation along, and the operations themselves: a command loads its own. */
const EVERYTHING = /src[\\/](operations[\\/]index|memory[\\/](memory|for-model))\.ts$/;
const own = new Set(operations.map(({ name }) => resolve(SOURCES.get(name) ?? name)));

/**
 * Makes dist/: bundles that share their chunks (the library, and the command line with the server), two bundles for the
 * hooks of agents, the launcher, the types, the manual page, and the licences of what is bundled. Bundled, a server starts
 * in half the time and `npx` fetches one package.
 */
rmSync('dist', { recursive: true, force: true });
const bundle = await rolldown({
  input: {
    index: 'src/index.ts',
    main: 'src/cli/main.ts',
    'postgres-engine': 'src/store/postgres/engine.ts',
    'postgres-workspaces': 'src/store/postgres/workspaces.ts',
  },
  ...COMMON,
  plugins: [frozen],
});
const { output } = await bundle.write({
  dir: 'dist',
  format: 'esm',
  chunkFileNames: '[name]-[hash].js',
  hashCharacters: 'hex',
  // Names and lines stay: an error that nobody catches shows a line of its source, not pages (U-10). Maps lead further.
  minify: { compress: true, mangle: false, codegen: false },
  sourcemap: true,
  comments: { legal: false },
  /*
   * What most commands share is in two chunks, not in a hundred: finding and reading a module takes longer than running it.
   * What `--version` needs stays apart.
   */
  codeSplitting: {
    groups: [
      { name: 'start', test: /src[\\/]domain[\\/](error|text[\\/]visible)\.ts/ },
      { name: 'store', test: STORE, minShareCount: SHARED },
      {
        name: 'operations',
        test: (id) => OPERATIONS.test(id) && !EVERYTHING.test(id) && !own.has(resolve(id)),
        minShareCount: SHARED,
      },
    ],
  },
});
const answer = await hookBundle('hook-answer', 'src/hook/answer.ts', {
  '../store/postgres/engine.ts': './postgres-engine.js',
  '../store/postgres/workspaces.ts': './postgres-workspaces.js',
});
const hook = await hookBundle('hook', 'src/hook/main.ts', { './answer.ts': `./${answer}` });
const launcher = readFileSync('src/cli/precedent.cjs', 'utf8').replace("'hook.cjs'", `'${hook}'`);
writeFileSync('dist/precedent.cjs', launcher, { mode: 0o755 });
// The map of a table of tokens is as large as the table, and leads nowhere.
for (const file of readdirSync('dist')) if (/^o200k.*\.map$/.test(file)) rmSync(join('dist', file));
writeFileSync('dist/index.d.ts', await libraryTypes());
writeFileSync('dist/precedent.1', manualPage(pkg.version));
const inputs = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
writeFileSync('dist/THIRD_PARTY_LICENSES.txt', licences(inputs.map((file) => relative('.', file))));
