import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { rolldown } from 'rolldown';
import pkg from '../package.json' with { type: 'json' };
import { operations } from '../src/operations/index.ts';
import { COMMON, hookBundle } from './bundle.ts';
import { writeDemo } from './demo/write.ts';
import { frozen, SOURCES } from './frozen.ts';
import { licences } from './licences.ts';
import { manualPage } from './man.ts';
import { buildPage } from './page.ts';
import { libraryTypes } from './types.ts';

const HASHED = '[name]-[hash].cjs';
/** How many entries share a module that goes into a shared chunk. */
const SHARED = 6;
const STORE = /src[\\/](domain|store)[\\/]|node_modules[\\/]kysely/;
const OPERATIONS = /src[\\/](operations|memory)[\\/]|node_modules[\\/](zod|fast-)/;
/** What takes every operation along, and the operations themselves: a command loads its own. */
const EVERYTHING = /src[\\/](operations[\\/]index|memory[\\/](memory|for-model))\.ts$/;
const own = new Set(operations.map(({ name }) => resolve(SOURCES.get(name) ?? name)));

/**
 * Makes dist/: bundles that share their chunks (the library, and the command line with the server), two bundles for the
 * hooks of agents, the page of the server, the launcher, the types, the manual page, the memories of the demo, and the
 * licences of what is bundled. Bundled, a server starts in half the time and `npx` fetches one package.
 */
rmSync('dist', { recursive: true, force: true });
mkdirSync('dist');
const bundle = await rolldown({
  input: {
    index: 'src/index.ts',
    main: 'src/cli/main.ts',
    'postgres-engine': 'src/store/postgres/engine.ts',
    'postgres-workspaces': 'src/store/postgres/workspaces.ts',
  },
  ...COMMON,
  plugins: [frozen, ...COMMON.plugins],
});
const { output } = await bundle.write({
  dir: 'dist',
  format: 'cjs',
  // Its name is the one by which the library is known.
  entryFileNames: ({ name }) => (name === 'index' ? 'index.cjs' : HASHED),
  chunkFileNames: HASHED,
  hashCharacters: 'hex',
  dynamicImportInCjs: false,
  // Names and lines stay: an error that nobody catches shows a line of its source, not pages (U-10). Maps lead further.
  minify: { compress: true, mangle: false, codegen: false },
  sourcemap: true,
  comments: false,
  // A module runs when it is needed: a command makes the schemas of its own operation, whatever lies beside them.
  strictExecutionOrder: true,
  /*
   * What most commands share is in a few chunks, not in a hundred: finding and reading a file takes longer than running it.
   * What every start needs, `--version` too, is one of them, and what every operation needs another.
   */
  codeSplitting: {
    groups: [
      { name: 'start', test: /src[\\/]cli[\\/](main|settings)\.ts$|node_modules[\\/]env-paths/, priority: 3 },
      { name: 'stdio', test: /src[\\/]mcp[\\/]stdio\.ts$/, priority: 2 },
      { name: 'command', test: /src[\\/]cli[\\/](run-operation|output[\\/]render)\.ts$/, priority: 2 },
      { name: 'store', test: STORE, minShareCount: SHARED },
      {
        name: 'operations',
        test: (id) => OPERATIONS.test(id) && !EVERYTHING.test(id) && !own.has(resolve(id)),
        minShareCount: SHARED,
      },
    ],
  },
});
const chunks = output.filter((file) => file.type === 'chunk');
const entry = (name: string) => chunks.find((chunk) => chunk.isEntry && chunk.name === name);
const fileOf = (name: string) => entry(name)?.fileName ?? name;
// Node finds the names in a CommonJS module, and those who use the library import an ES module.
writeFileSync('dist/index.js', `export { ${entry('index')?.exports.join(', ')} } from './index.cjs';\n`);
const answer = await hookBundle('hook-answer', 'src/hook/answer.ts', {
  '../store/postgres/engine.ts': `./${fileOf('postgres-engine')}`,
  '../store/postgres/workspaces.ts': `./${fileOf('postgres-workspaces')}`,
});
const hook = await hookBundle('hook', 'src/hook/main.ts', { './answer.ts': `./${answer}` });
const launcher = readFileSync('src/cli/precedent.cjs', 'utf8')
  .replace("'hook.cjs'", `'${hook}'`)
  .replace("'main.cjs'", `'${fileOf('main')}'`);
writeFileSync('dist/precedent.cjs', launcher, { mode: 0o755 });
writeFileSync('dist/index.d.ts', await libraryTypes());
writeFileSync('dist/precedent.1', manualPage(pkg.version));
await writeDemo('dist/demo');
const inputs = [...chunks.flatMap((chunk) => chunk.moduleIds), ...(await buildPage())];
writeFileSync('dist/THIRD_PARTY_LICENSES.txt', licences(inputs.map((file) => relative('.', file))));
