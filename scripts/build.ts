import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { type OutputOptions, rolldown } from 'rolldown';
import { operations } from '../src/operations/index.ts';
import { writeDemo } from './demo/write.ts';
import { frozen, SOURCES } from './frozen.ts';
import { licences } from './licences.ts';
import { buildPage } from './page.ts';
import { libraryTypes } from './types.ts';

const HASHED = '[name]-[hash].cjs';
/** How many entries share a module that goes into a shared chunk. */
const SHARED = 6;
// What only the gate of prompts, a review or a check of a whole memory needs stays out of what is shared: most commands need none
// of it.
const STORE =
  /src[\\/](domain(?![\\/]prompt)|store(?![\\/](invariants|maintenance|merge)))[\\/]|node_modules[\\/]kysely/;
const OPERATIONS =
  /src[\\/](operations(?![\\/](review|briefing[\\/]about-prompt))|memory)[\\/]|node_modules[\\/](zod|fast-)/;
/** What takes every operation along, and the operations themselves: a command loads its own. */
const EVERYTHING = /src[\\/](operations[\\/]index|memory[\\/](memory|for-model))\.ts$/;
const own = new Set(operations.map(({ name }) => resolve(SOURCES.get(name) ?? name)));

/**
 * Makes dist/: the library, the command line and the server, which share their chunks; the hooks of agents; the page of the
 * server, the launcher, the types, the memories of the demo, and the licences of what is bundled. Bundled,
 * a server starts in half the time and `npx` fetches one package.
 */
rmSync('dist', { recursive: true, force: true });
mkdirSync('dist');
const chunks = await bundle(
  { index: 'src/index.ts', main: 'src/cli/main.ts' },
  {
    chunkFileNames: HASHED,
    // A module runs when it is needed: a command makes the schemas of its own operation, whatever else is in the chunk.
    strictExecutionOrder: true,
    /*
     * What most commands share is in a few chunks, not in a hundred: finding and reading a file takes longer than running it.
     * What every start needs, `--version` too, is one of them, and what every operation needs another.
     */
    codeSplitting: {
      groups: [
        {
          name: 'start',
          test: /src[\\/]cli[\\/](main|settings)\.ts$/,
          priority: 3,
        },
        { name: 'command', test: /src[\\/]cli[\\/](run-operation|output[\\/]render)\.ts$/, priority: 2 },
        { name: 'store', test: STORE, minShareCount: SHARED },
        {
          name: 'operations',
          test: (id) => OPERATIONS.test(id) && !EVERYTHING.test(id) && !own.has(resolve(id)),
          minShareCount: SHARED,
        },
      ],
    },
  },
);
// Hooks have chunks of their own: they run with every prompt, and need a third of what commands share (ADR 0070).
const hookChunks = await bundle({ hook: 'src/hook/main.ts' }, { chunkFileNames: `hook-${HASHED}` });
const entry = (name: string) =>
  [...chunks, ...hookChunks].find((chunk) => chunk.isEntry && chunk.name === name);
// Node finds the names in a CommonJS module, and those who use the library import an ES module.
writeFileSync('dist/index.js', `export { ${entry('index')?.exports.join(', ')} } from './index.cjs';\n`);
const launcher = readFileSync('src/cli/precedent.cjs', 'utf8').replace(
  /(?<=\.\/)(hook|main)\.cjs/g,
  (_, name) => entry(name)?.fileName ?? name,
);
writeFileSync('dist/precedent.cjs', launcher, { mode: 0o755 });
writeFileSync('dist/index.d.ts', await libraryTypes());
await writeDemo('dist/demo');
const inputs = [...[...chunks, ...hookChunks].flatMap((chunk) => chunk.moduleIds), ...(await buildPage())];
writeFileSync('dist/THIRD_PARTY_LICENSES.txt', licences(inputs.map((file) => relative('.', file))));

/** Bundles entries in CommonJS, which Node loads in a third of the time of ES modules. @returns the chunks */
async function bundle(input: Record<string, string>, options: OutputOptions) {
  const bundled = await rolldown({
    input,
    platform: 'node',
    // The bundler leaves out unused code of ES modules only, such as stop words of 60 languages.
    resolve: { mainFields: ['module', 'main'] },
    transform: { target: 'node22.18' },
    // An optional install; it loads a native library from its own folder.
    external: ['sqlite-vec'],
    plugins: [frozen],
    // A problem of the bundle is an error: nobody reads warnings of a build that works.
    onLog: (_, { message }) => {
      throw new Error(message);
    },
  });
  const { output } = await bundled.write({
    dir: 'dist',
    format: 'cjs',
    // Its name is the one by which the library is known.
    entryFileNames: ({ name }) => (name === 'index' ? 'index.cjs' : HASHED),
    hashCharacters: 'hex',
    // Node reads a text of one byte a letter in half the time; the launcher relies on it.
    charset: 'ascii',
    dynamicImportInCjs: false,
    // Names and lines stay: an error that nobody catches shows a line of its source, not pages (U-10).
    minify: { compress: true, mangle: false, codegen: false },
    comments: false,
    ...options,
  });
  const chunks = output.filter((file) => file.type === 'chunk');
  for (const { fileName, code } of chunks) {
    // The letter alone: looking for what is around it, too, takes a hundred times as long.
    const at = code.search(/[\u0080-\uffff]/);
    if (at === -1) continue;
    const found = code.slice(Math.max(0, at - 40), at + 20);
    throw new Error(`${fileName} is not in ASCII, as no String.raw can be: ${found}`);
  }
  return chunks;
}
