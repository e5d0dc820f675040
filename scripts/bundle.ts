import { type InputOptions, type Plugin, rolldown } from 'rolldown';

/** What all bundles have in common. */
export const COMMON = {
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
} as const satisfies InputOptions;

/** An import of it copies all that it has, and with that makes the streams: 8 ms. */
const process: Plugin = {
  name: 'process',
  resolveId: { filter: { id: /^(node:)?process$/ }, handler: () => '\0process' },
  load: { filter: { id: /^\0process$/ }, handler: () => 'export default globalThis.process' },
};

/**
 * A bundle of a hook, in CommonJS: Node takes 20 ms to load what ES modules import of it, three times as long as all else
 * that such a module needs (ADR 0046). @param apart what is loaded on use, and the file that has it
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
  const bundle = await rolldown({ ...COMMON, input: { [name]: entry }, plugins: [loadedOnUse, process] });
  const { output } = await bundle.write({
    dir: 'dist',
    format: 'cjs',
    entryFileNames: '[name]-[hash].cjs',
    hashCharacters: 'hex',
    codeSplitting: false,
    dynamicImportInCjs: false,
    minify: { compress: true, mangle: false, codegen: true },
    comments: { legal: false },
  });
  return output[0].fileName;
}
