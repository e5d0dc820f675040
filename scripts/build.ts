import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { relative } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';
import { esmExternalRequirePlugin } from 'rolldown/plugins';
import { writeDemo } from './demo/write.ts';
import { licences } from './licences.ts';
import { buildPage } from './page.ts';
import { libraryTypes } from './types.ts';

/**
 * Makes dist/: the library, the command line with the server, and the hooks of agents; the page of the server, the launcher, the
 * types, the memories of the demo, and the licences of what is bundled. Bundled, a server starts in half the time and `npx`
 * fetches one package.
 */
rmSync('dist', { recursive: true, force: true });
mkdirSync('dist');

/** Zod shares its registry and its settings with every copy in the process: ours must not change those of a host (LB-6). */
const PRIVATE_ZOD: Plugin = {
  name: 'private-zod',
  transform: {
    filter: { id: /zod[\\/]v4[\\/]core[\\/](core|registries)\.js$/ },
    handler: (code) => `const ownGlobals = {};\n${code.replaceAll('globalThis', 'ownGlobals')}`,
  },
};

const chunks = [
  // CommonJS: Node loads it in a third of the time of ES modules.
  ...(await bundle({ index: 'src/index.ts', main: 'src/cli/main.ts' }, 'cjs')),
  // Hooks run with every prompt, and have a bundle of their own with the third of the code that they need (ADR 0070).
  ...(await bundle({ hook: 'src/hook/main.ts' }, 'cjs')),
  // Programs, and their bundlers, import ES modules (LB-6).
  ...(await bundle({ index: 'src/index.ts' }, 'esm')),
];
writeFileSync('dist/precedent.cjs', readFileSync('src/cli/precedent.cjs'), { mode: 0o755 });
const types = await libraryTypes();
for (const file of ['index.d.ts', 'index.d.cts']) writeFileSync(`dist/${file}`, types);
await writeDemo('dist/demo');
const inputs = [...chunks.flatMap((chunk) => chunk.moduleIds), ...(await buildPage())];
writeFileSync(
  'dist/THIRD_PARTY_LICENSES.txt',
  licences(inputs.filter(isFile).map((file) => relative('.', file))),
);

/** No package has what the bundler makes itself. */
function isFile(id: string): boolean {
  return !id.startsWith('\0');
}

/** Bundles entries. @returns the chunks */
async function bundle(input: Record<string, string>, format: 'cjs' | 'esm') {
  const isEsm = format === 'esm';
  const bundled = await rolldown({
    input,
    platform: 'node',
    resolve: {
      // The bundler leaves out unused code of ES modules only, such as stop words of 60 languages.
      mainFields: ['module', 'main'],
      // A program that installs it could not use it: our pg is bundled.
      alias: { 'pg-native': false },
    },
    transform: { target: 'node22.18' },
    plugins: [PRIVATE_ZOD, isEsm && esmExternalRequirePlugin({ external: [...builtinModules] })],
    // A problem of the bundle is an error: nobody reads warnings of a build that works. The library loads at once some of
    // what commands load when they need it.
    onLog: (_, { code, message }) => {
      if (code !== 'INEFFECTIVE_DYNAMIC_IMPORT' || !isEsm) throw new Error(message);
    },
  });
  const ending = isEsm ? 'js' : 'cjs';
  const { output } = await bundled.write({
    dir: 'dist',
    format,
    entryFileNames: `[name].${ending}`,
    // The hash keeps a program that runs from loading a chunk of another build.
    chunkFileNames: `${isEsm ? 'library/' : ''}[name]-[hash].${ending}`,
    hashCharacters: 'hex',
    dynamicImportInCjs: false,
    // One file holds all that the library loads at once: to find and link seventy took a sixth of the import (LB-6).
    ...(isEsm && { codeSplitting: { groups: [{ name: 'library', tags: ['$initial'] }] } }),
    // Names and lines stay: an error that nobody catches shows a line of its source, not pages (U-10).
    minify: { compress: true, mangle: false, codegen: false },
    comments: false,
  });
  return output.filter((file) => file.type === 'chunk');
}
