import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describeCommands } from '../src/cli/catalogue/describe.ts';
import { describeTools } from '../src/mcp/published.ts';
import { operations } from '../src/operations/index.ts';

/** Every command, from the sources. */
export const catalogue = await describeCommands();

/**
 * The files of `src` that say what commands and operations there are, so that each command starts without the others, and a
 * server without any.
 */
export function derivedSources(): [path: string, text: string][] {
  return [
    ['src/cli/catalogue/catalogue.json', `[\n${lines(catalogue)}\n]\n`],
    ['src/operations/offered.json', toolsFile()],
    ['src/operations/sources.ts', sources()],
  ];
}

function toolsFile(): string {
  const { offered, hidden } = describeTools();
  return `{\n"offered": [\n${lines(offered)}\n],\n"hidden": ${JSON.stringify(hidden)}\n}\n`;
}

/** One line each: a change shows as that of one command or tool. */
function lines(items: readonly object[]): string {
  return items.map((item) => JSON.stringify(item)).join(',\n');
}

function sources(): string {
  const files = new Map(
    globSync('**/*.ts', { cwd: join(import.meta.dirname, '../src/operations') })
      .sort()
      .map((file) => [basename(file, '.ts').replaceAll('-', '_'), file.replaceAll('\\', '/')]),
  );
  const loaders = operations.map(({ name }) => `  ${name}: () => import('./${files.get(name)}'),`);
  return `/** Each operation by its name, loaded without the others. \`npm run reference\` writes this. */
export const sources: Readonly<Record<string, () => Promise<object>>> = {
${loaders.join('\n')}
};
`;
}
