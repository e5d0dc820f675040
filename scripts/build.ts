import { chmodSync, copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { rolldown } from 'rolldown';
import pkg from '../package.json' with { type: 'json' };
import { operations } from '../src/operations/index.ts';
import { frozen, SOURCES } from './frozen.ts';
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
 * Makes dist/: three bundles that share their chunks (the library, the command line with the server, and the hooks of agents), the
 * launcher, the types, and the licences of what is bundled. Bundled, a server starts in half the time and
 * `npx` fetches one package.
 */
rmSync('dist', { recursive: true, force: true });
const bundle = await rolldown({
  input: { index: 'src/index.ts', main: 'src/cli/main.ts', hook: 'src/hook/main.ts' },
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
const { output } = await bundle.write({
  dir: 'dist',
  format: 'esm',
  chunkFileNames: '[name]-[hash].js',
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
copyFileSync('src/cli/precedent.cjs', 'dist/precedent.cjs');
chmodSync('dist/precedent.cjs', 0o755);
// The map of a table of tokens is as large as the table, and leads nowhere.
for (const file of readdirSync('dist')) if (/^o200k.*\.map$/.test(file)) rmSync(join('dist', file));
writeFileSync('dist/index.d.ts', await libraryTypes());
writeFileSync('dist/precedent.1', manualPage(pkg.version));
const inputs = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
writeFileSync('dist/THIRD_PARTY_LICENSES.txt', licences(inputs.map((file) => relative('.', file))));

function licences(inputs: string[]): string {
  const packages = new Set(
    inputs.flatMap((input) => input.match(/^.*node_modules\/(?:@[^/]+\/)?[^/]+/)?.[0] ?? []),
  );
  return [...packages].sort().map(licence).join('\n\n');
}

function licence(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const text = licenceFile(folder) ?? licenceInReadme(folder);
  if (text === undefined)
    throw new Error(`${name} is bundled, and no text of its licence was found in ${folder}`);
  return `${'-'.repeat(80)}\n${name} ${version} (${license})\n\n${text.trim()}`;
}

function licenceFile(folder: string): string | undefined {
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  return file && readFileSync(join(folder, file), 'utf8');
}

/** Some packages have their licence as the last section of the README. */
function licenceInReadme(folder: string): string | undefined {
  const file = readdirSync(folder).find((entry) => /^readme/i.test(entry));
  return (
    file &&
    readFileSync(join(folder, file), 'utf8').match(/^#+ *licen[cs]e\b.*?\n([\s\S]*copyright[\s\S]*)/im)?.[1]
  );
}
