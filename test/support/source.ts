import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after } from 'node:test';
import { pathToFileURL } from 'node:url';
import { ROOT } from './program.ts';

/** By file: texts, or patterns without groups, to replace. Each must stand there once. */
type Edits = Record<string, [from: string | RegExp, to: string][]>;

/**
 * A copy of the sources with some changes: the product as an edit to come would leave it. It is inside the project, so
 * that it finds what is installed there, and removed after the test file.
 * @returns its folder, which holds `src/`
 */
/** An edit of `src/store/migrations/migrations.ts`: one more migration, behind all others. @param entry as it is written there */
export const nextMigration = (entry: string): [string, string] => [LAST, `\n    ${entry},${LAST}`];
const LAST = '\n  };\n}\n\n/** The last schema before';

export function copyOfSource(edits: Edits): string {
  const folder = mkdtempSync(join(ROOT, '.scratch-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  for (const file of [...globSync('src/**/*.{ts,json}', { cwd: ROOT }), 'package.json'])
    cpSync(join(ROOT, file), join(folder, file));
  for (const [file, changes] of Object.entries(edits)) {
    const path = join(folder, file);
    const edited = changes.reduce(replaceOnce, readFileSync(path, 'utf8'));
    writeFileSync(path, edited);
  }
  return folder;
}

/** The library of such a copy, beside the one that is tested. */
export function libraryOf(folder: string): Promise<typeof import('../../src/index.ts')> {
  return import(pathToFileURL(join(folder, 'src/index.ts')).href);
}

function replaceOnce(text: string, [from, to]: Edits[string][number]): string {
  const parts = text.split(from);
  if (parts.length !== 2) throw new Error(`"${from}" stands there ${parts.length - 1} times`);
  return parts.join(to);
}
