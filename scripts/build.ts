import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type BuildOptions, build, type OutputFile } from 'esbuild';
import { libraryTypes } from './types.ts';

/** What all bundles have in common. */
const COMMON = {
  outdir: 'dist',
  bundle: true,
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
} as const satisfies BuildOptions;

/** What no hook does: it brings no memory up to date, makes no copy, merges no rows. All that it holds takes it time. */
const LEFT_OUT =
  /src\/store\/(migrations\/\d{4}-[\w-]+|sqlite\/read-only)\.ts$|kysely\/dist\/(schema\/schema-module|migration\/migrator|query-builder\/merge-query-builder|plugin\/with-schema\/with-schema-transformer)\.js$/;

/**
 * Makes dist/: bundles that share their chunks (the library, and the command line with the server), two bundles for the
 * hooks of agents, the launcher, the types, and the licences of what is bundled. Bundled, a server starts in half the time
 * and `npx` fetches one package.
 */
rmSync('dist', { recursive: true, force: true });
const { metafile } = await build({
  ...COMMON,
  entryPoints: {
    index: 'src/index.ts',
    main: 'src/cli/main.ts',
    'postgres-engine': 'src/store/postgres/engine.ts',
    'postgres-workspaces': 'src/store/postgres/workspaces.ts',
  },
  splitting: true,
  format: 'esm',
  // CommonJS packages in an ESM bundle still load Node's own modules with require().
  banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
});
const answer = await hookBundle('hook-answer', 'src/hook/answer.ts', {
  '../store/postgres/engine.ts': './postgres-engine.js',
  '../store/postgres/workspaces.ts': './postgres-workspaces.js',
});
const hook = await hookBundle('hook', 'src/hook/main.ts', { './answer.ts': `./${answer}` });
const launcher = readFileSync('src/cli/precedent.cjs', 'utf8').replace("'hook.cjs'", `'${hook}'`);
writeFileSync('dist/precedent.cjs', launcher, { mode: 0o755 });
writeFileSync('dist/index.d.ts', await libraryTypes());
writeFileSync('dist/THIRD_PARTY_LICENSES.txt', licences(Object.keys(metafile.inputs)));

/**
 * A bundle of a hook, in CommonJS: Node takes 20 ms to load what ES modules import of it, three times as long as all else
 * that such a module needs (ADR 0046). @param apart what is loaded on use, and the file that has it
 * @returns the name of the file, which has the hash of its content
 */
async function hookBundle(name: string, entry: string, apart: Record<string, string>): Promise<string> {
  const { outputFiles } = await build({
    ...COMMON,
    entryPoints: { [name]: entry },
    entryNames: '[name]-[hash]',
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
    supported: { 'dynamic-import': false },
    plugins: [
      {
        name: 'apart',
        setup: ({ onResolve }) =>
          onResolve({ filter: /^\..*\.ts$/ }, ({ path, kind }) =>
            kind === 'dynamic-import' && apart[path] ? { path: apart[path], external: true } : undefined,
          ),
      },
      {
        name: 'left out',
        setup: ({ onLoad }) => onLoad({ filter: LEFT_OUT }, ({ path }) => ({ contents: emptied(path) })),
      },
      {
        // An import of it copies all that it has, and with that makes the streams: 8 ms.
        name: 'process',
        setup: ({ onResolve, onLoad }) => {
          onResolve({ filter: /^(node:)?process$/ }, () => ({ path: 'process', namespace: 'global' }));
          onLoad({ filter: /./, namespace: 'global' }, () => ({
            contents: 'export default globalThis.process',
          }));
        },
      },
    ],
    write: false,
  });
  const [{ path, text }] = outputFiles as [OutputFile];
  // One letter of a pattern that is not ASCII would double what the whole text takes in memory.
  writeFileSync(path, text.replace(/[^\0-\x7f]/g, escaped));
  return basename(path);
}

/** A module with the names of another one, which do nothing. */
function emptied(path: string): string {
  const names = readFileSync(path, 'utf8').matchAll(/^export (?:async )?(?:function|class|const) (\w+)/gm);
  return Array.from(names, ([, name]) => `export function ${name}() { return {}; }`).join('\n');
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

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
