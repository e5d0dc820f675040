import { chmodSync, copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { libraryTypes } from './types.ts';

/**
 * Makes dist/: three bundles that share their chunks (the library, the command line with the server, and the hooks of agents), the
 * launcher, the types, and the licences of what is bundled. Bundled, a server starts in half the time and
 * `npx` fetches one package.
 */
rmSync('dist', { recursive: true, force: true });
const { metafile } = await build({
  entryPoints: { index: 'src/index.ts', main: 'src/cli/main.ts', hook: 'src/hook/main.ts' },
  outdir: 'dist',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  // The bundler leaves out unused code of ES modules only, such as stop words of 60 languages.
  mainFields: ['module', 'main'],
  target: 'node22.18',
  // An optional install; it loads a native library from its own folder.
  external: ['sqlite-vec'],
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  metafile: true,
  // CommonJS packages in an ESM bundle still load Node's own modules with require().
  banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
});
copyFileSync('src/cli/precedent.cjs', 'dist/precedent.cjs');
chmodSync('dist/precedent.cjs', 0o755);
writeFileSync('dist/index.d.ts', await libraryTypes());
writeFileSync('dist/THIRD_PARTY_LICENSES.txt', licences(Object.keys(metafile.inputs)));

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
