import { execFile } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
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
  for (const file of [...globSync('src/**/*.ts', { cwd: ROOT }), 'package.json'])
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

/** What the compiler says of one file of such a copy, and of all that it imports. */
export async function compile(folder: string, file: string): Promise<string[]> {
  const settings = { extends: join(ROOT, 'tsconfig.json'), include: [], files: [file] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings));
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  const options = ['-p', folder, '--pretty', 'false'];
  const ran = promisify(execFile)(process.execPath, [tsc, ...options], { cwd: folder });
  // Its messages are on standard output, whatever its exit code.
  const { stdout } = await ran.catch((failure: { stdout: string }) => failure);
  return stdout.split('\n').filter((line) => line.trim() !== '');
}

function replaceOnce(text: string, [from, to]: Edits[string][number]): string {
  const parts = text.split(from);
  if (parts.length !== 2) throw new Error(`"${from}" stands there ${parts.length - 1} times`);
  return parts.join(to);
}
