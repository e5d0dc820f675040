import { globSync } from 'node:fs';
import { basename } from 'node:path';
import type { Plugin } from 'rolldown';
import { catalogue } from '../src/cli/catalogue/catalogue.ts';
import { hidden, offered } from '../src/mcp/offered.ts';
import { operations } from '../src/operations/index.ts';

/** The source of each operation. */
const SOURCES = new Map(
  globSync('src/operations/**/*.ts').map((file) => [basename(file, '.ts').replaceAll('-', '_'), file]),
);

/**
 * Puts data in the place of what is computed from all commands and operations, so that each command starts without the
 * others, and a server without any: `src/cli/catalogue/catalogue.ts`, `src/mcp/offered.ts` and `src/operations/source.ts`.
 */
export const frozen: Plugin = {
  name: 'frozen',
  load: {
    filter: { id: /[\\/](catalogue[\\/]catalogue|mcp[\\/]offered|operations[\\/](source|vocabulary))\.ts$/ },
    handler: (id) => ({ code: (FROZEN[basename(id, '.ts')] as () => string)(), moduleType: 'js' }),
  },
};

const FROZEN: Record<string, () => string> = {
  catalogue: commands,
  offered: tools,
  source: sources,
};

function commands(): string {
  const own = catalogue.filter(({ operation }) => !operation).map(({ words }) => words.join('/'));
  // Options that several commands share stand there once: with the short words, most do.
  const options = [
    ...new Set(catalogue.flatMap((command) => command.options.map((each) => JSON.stringify(each)))),
  ];
  const places = new Map(options.map((option, place) => [option, place]));
  const all = catalogue.map((command) => ({
    ...command,
    options: command.options.map((each) => places.get(JSON.stringify(each))),
  }));
  const text = `{"all":${JSON.stringify(all)},"options":[${options.join()}]}`;
  // A text that is parsed is read sooner than a program that holds the same.
  return `const { all, options } = JSON.parse(${JSON.stringify(text)});
export const catalogue = all.map((command) => ({ ...command, options: command.options.map((at) => options[at]) }));
const loaders = { ${loaders(own.map((name) => [name, `../commands/${name}.ts`]))} };
export const loadOwn = async (words) => Object.values(await loaders[words.join('/')]())[0];`;
}

function tools(): string {
  return `export const offered = JSON.parse(${JSON.stringify(JSON.stringify(offered))});
export const hidden = ${JSON.stringify(hidden)};`;
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
