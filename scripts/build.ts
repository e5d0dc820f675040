import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { rolldown } from 'rolldown';
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
const chunks = [
  ...(await bundle({ index: 'src/index.ts', main: 'src/cli/main.ts' })),
  // Hooks run with every prompt, and have a bundle of their own with the third of the code that they need (ADR 0070).
  ...(await bundle({ hook: 'src/hook/main.ts' })),
];
// Node finds the names in a CommonJS module, and those who use the library import an ES module.
const names = chunks.find(({ fileName }) => fileName === 'index.cjs')?.exports ?? [];
writeFileSync('dist/index.js', `export { ${names.join(', ')} } from './index.cjs';\n`);
writeFileSync('dist/precedent.cjs', readFileSync('src/cli/precedent.cjs'), { mode: 0o755 });
writeFileSync('dist/index.d.ts', await libraryTypes());
await writeDemo('dist/demo');
const inputs = [...chunks.flatMap((chunk) => chunk.moduleIds), ...(await buildPage())];
writeFileSync('dist/THIRD_PARTY_LICENSES.txt', licences(inputs.map((file) => relative('.', file))));

/** Bundles entries in CommonJS, which Node loads in a third of the time of ES modules. @returns the chunks */
async function bundle(input: Record<string, string>) {
  const bundled = await rolldown({
    input,
    platform: 'node',
    // The bundler leaves out unused code of ES modules only, such as stop words of 60 languages.
    resolve: { mainFields: ['module', 'main'] },
    transform: { target: 'node22.18' },
    // An optional install; it loads a native library from its own folder.
    external: ['sqlite-vec'],
    // A problem of the bundle is an error: nobody reads warnings of a build that works.
    onLog: (_, { message }) => {
      throw new Error(message);
    },
  });
  const { output } = await bundled.write({
    dir: 'dist',
    format: 'cjs',
    entryFileNames: '[name].cjs',
    // The hash keeps a program that runs from loading a chunk of another build.
    chunkFileNames: '[name]-[hash].cjs',
    hashCharacters: 'hex',
    dynamicImportInCjs: false,
    // Names and lines stay: an error that nobody catches shows a line of its source, not pages (U-10).
    minify: { compress: true, mangle: false, codegen: false },
    comments: false,
  });
  return output.filter((file) => file.type === 'chunk');
}
