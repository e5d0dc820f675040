import { readFileSync } from 'node:fs';
import { type InputOptions, type Plugin, rolldown } from 'rolldown';

/**
 * An import of it copies all that it has, and with that makes the streams: 8 ms. What requires it, such as the reader of
 * YAML, wants the object itself and not a module around it.
 */
const process: Plugin = {
  name: 'process',
  resolveId: {
    filter: { id: /^(node:)?process$/ },
    handler: (_, __, { kind }) => (kind === 'require-call' ? '\0process-required' : '\0process'),
  },
  load: {
    filter: { id: /^\0process(-required)?$/ },
    handler: (id) => `${id.endsWith('required') ? 'module.exports =' : 'export default'} globalThis.process`,
  },
};

/** The parser of the command line can start programs as commands of its own. There are none here. */
const noPrograms: Plugin = {
  name: 'no-programs',
  resolveId: {
    filter: { id: /^node:child_process$/ },
    handler: (_, importer = '') => (/[\\/]commander[\\/]/.test(importer) ? '\0programs' : undefined),
  },
  load: { filter: { id: /^\0programs$/ }, handler: () => 'export default {}' },
};

/**
 * A default import of a module of Node: the module itself, and no object of its hundred names beside it, which takes the
 * parser of the command line a millisecond.
 */
const wholeModules: Plugin = {
  name: 'whole modules',
  resolveId: {
    filter: { id: /^node:(fs|os|path)$/ },
    handler: (id, importer = '') =>
      /[\\/](commander|env-paths)[\\/]/.test(importer) ? `\0whole:${id}` : undefined,
  },
  load: {
    filter: { id: /^\0whole:/ },
    handler: (id) => `export default globalThis.process.getBuiltinModule('${id.slice(7)}')`,
  },
};

/** Code of plain letters is read in half the time, since each is one byte. The launcher reads it so. */
const ascii: Plugin = {
  name: 'ascii',
  generateBundle: (_, files) => {
    const escaped = (letter: string) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
    for (const file of Object.values(files))
      if (file.type === 'chunk') file.code = file.code.replace(/[^\0-\x7f]/g, escaped);
  },
};

/**
 * A file is a function already, which the launcher calls, and Node calls where the library requires it: to put one around
 * half a megabyte of text copies it, and sets off the collector while a command is loaded (5 of 100 ms).
 */
const wrapped: Plugin = {
  name: 'wrapped',
  generateBundle: (_, files) => {
    const given = 'exports, require, module, __filename, __dirname';
    const called = `((run) => typeof module === 'undefined' ? run : run(${given}))`;
    for (const file of Object.values(files))
      if (file.type === 'chunk' && file.fileName !== 'index.cjs')
        file.code = `${called}(function (${given}) {${file.code}\n})`;
  },
};

/** What all bundles have in common. */
export const COMMON = {
  platform: 'node',
  // The bundler leaves out unused code of ES modules only, such as stop words of 60 languages.
  resolve: { mainFields: ['module', 'main'] },
  transform: { target: 'node22.18' },
  // An optional install; it loads a native library from its own folder.
  external: ['sqlite-vec'],
  plugins: [process, noPrograms, wholeModules, ascii, wrapped],
  // A problem of the bundle is an error: nobody reads warnings of a build that works.
  onLog: (_, { message }) => {
    throw new Error(message);
  },
} as const satisfies InputOptions;

/** What no hook does: it brings no memory up to date, makes no copy, merges no rows. All that it holds takes it time. */
const LEFT_OUT =
  /src[\\/]store[\\/](migrations[\\/](?!migrations\.)[\w-]+|sqlite[\\/]read-only)\.ts$|kysely[\\/]dist[\\/](schema[\\/]schema-module|migration[\\/]migrator|query-builder[\\/]merge-query-builder|plugin[\\/]with-schema[\\/]with-schema-transformer)\.js$/;
const leftOut: Plugin = {
  name: 'left out',
  load: { filter: { id: LEFT_OUT }, handler: emptied },
};

/**
 * A bundle of a hook, in CommonJS: Node takes 20 ms to load what ES modules import of it, three times as long as all else
 * that such a module needs (ADR 0070). @param apart what is loaded on use, and the file that has it
 * @returns the name of the file, which has the hash of its content
 */
export async function hookBundle(
  name: string,
  entry: string,
  apart: Record<string, string>,
): Promise<string> {
  const loadedOnUse: Plugin = {
    name: 'apart',
    resolveId: {
      filter: { id: /^\..*\.ts$/ },
      handler: (id, _, { kind }) =>
        kind === 'dynamic-import' && apart[id] ? { id: apart[id], external: true } : undefined,
    },
  };
  const bundle = await rolldown({
    ...COMMON,
    input: { [name]: entry },
    plugins: [loadedOnUse, leftOut, ...COMMON.plugins],
  });
  const { output } = await bundle.write({
    dir: 'dist',
    format: 'cjs',
    entryFileNames: '[name]-[hash].cjs',
    hashCharacters: 'hex',
    codeSplitting: false,
    dynamicImportInCjs: false,
    minify: { compress: true, mangle: false, codegen: true },
    comments: false,
  });
  return output[0].fileName;
}

/** A module with the names of another one, which do nothing. */
function emptied(path: string): string {
  const names = readFileSync(path, 'utf8').matchAll(/^export (?:async )?(?:function|class|const) (\w+)/gm);
  return Array.from(names, ([, name]) => `export function ${name}() { return {}; }`).join('\n');
}
