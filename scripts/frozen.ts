import { globSync } from 'node:fs';
import { basename } from 'node:path';
import type { Plugin } from 'rolldown';
import { catalogue } from '../src/cli/catalogue/catalogue.ts';
import { operations } from '../src/operations/index.ts';

/** The source of each operation. */
export const SOURCES = new Map(
  globSync('src/operations/**/*.ts').map((file) => [basename(file, '.ts').replaceAll('-', '_'), file]),
);

/**
 * Puts data in the place of what is computed from all commands and operations, so that each command starts without the
 * others: `src/cli/catalogue/catalogue.ts` and `src/operations/source.ts`.
 */
export const frozen: Plugin = {
  name: 'frozen',
  load: {
    filter: { id: /[\\/](catalogue[\\/]catalogue|operations[\\/]source)\.ts$/ },
    handler: (id) => ({ code: basename(id) === 'source.ts' ? sources() : commands(), moduleType: 'js' }),
  },
};

function commands(): string {
  const own = catalogue.filter(({ operation }) => !operation).map(({ words }) => words.join('/'));
  // A text that is parsed is read sooner than a program that holds the same.
  return `export const catalogue = JSON.parse(${JSON.stringify(JSON.stringify(catalogue))});
const loaders = { ${loaders(own.map((name) => [name, `../commands/${name}.ts`]))} };
export const loadOwn = async (words) => Object.values(await loaders[words.join('/')]())[0];`;
}

function sources(): string {
  const all = operations.map(({ name }): [string, string] => [
    name,
    `./${SOURCES.get(name)?.replaceAll('\\', '/').replace('src/operations/', '')}`,
  ]);
  return `const loaders = { ${loaders(all)} };
export const sourceOf = async (name) => loaders[name]?.();`;
}

function loaders(files: [name: string, path: string][]): string {
  return files.map(([name, path]) => `${JSON.stringify(name)}: () => import("${path}")`).join(', ');
}
