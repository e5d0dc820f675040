import { globSync } from 'node:fs';
import { basename } from 'node:path';

/** The source of each operation: a file is named as its tool. */
const FILES = new Map(
  globSync('**/*.ts', { cwd: import.meta.dirname }).map((file) => [basename(file, '.ts'), file]),
);

/**
 * Loads the source that defines an operation; undefined where no file has its name. The build puts a table instead of
 * this search (`scripts/frozen.ts`).
 */
export async function sourceOf(name: string): Promise<object | undefined> {
  const file = FILES.get(name.replaceAll('_', '-'));
  return file === undefined ? undefined : import(`./${file}`);
}
