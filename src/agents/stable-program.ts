import { cpSync, existsSync, mkdtempSync, readFileSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { bytesOf, makeFolders, replaceFile } from './files.ts';

/** Folders whose content a package manager changes or removes when it likes, by a part of their path. */
const PASSING = ['_npx', '.pnpm', 'dlx'];
/** What the program needs of its package. */
const PARTS = ['dist', 'skills', 'package.json'];

/**
 * The path under which the program can be entered somewhere: where it is installed, if that is a place that stays. Else
 * the path of a copy in the data folder; it is the same for every version, so that what names it goes on working.
 * @param root the folder of the package
 * @param copy whether to make the copy; without, only its path is told
 */
export function stableProgram(root: string, version: string, dataFolder: string, copy: boolean): string {
  const app = join(dataFolder, 'app');
  const launcher = join(app, 'precedent.cjs');
  if (dirname(root) === app) return launcher;
  if (!root.split(sep).some((part) => PASSING.includes(part) || /^(?:dlx|bunx)-/.test(part)))
    return join(root, 'dist', 'precedent.cjs');
  if (copy) copyProgram(root, version, app, launcher);
  return launcher;
}

/** A file that starts the version of the day is replaced in one step, also where there are no links. */
function copyProgram(root: string, version: string, app: string, launcher: string): void {
  const folder = join(app, version);
  makeFolders(app);
  const isThere = existsSync(folder) && isSame(root, folder);
  if (!isThere) {
    const partial = mkdtempSync(join(app, `${version}.partial-`));
    for (const part of PARTS) cpSync(join(root, part), join(partial, part), { recursive: true });
    if (existsSync(folder)) renameSync(folder, join(partial, 'old'));
    renameSync(partial, folder);
    rmSync(join(folder, 'old'), { recursive: true, force: true });
  }
  const text = Buffer.from(`#!/usr/bin/env node\nrequire('./${version}/dist/precedent.cjs');\n`);
  const before = bytesOf(launcher);
  if (!before?.equals(text)) replaceFile(launcher, before, text);
}

/** Whether the programs of two folders are the same: these files name all others by content. */
function isSame(one: string, other: string): boolean {
  const read = (root: string, name: string) => readFileSync(join(root, 'dist', name));
  try {
    return ['main.js', 'precedent.cjs'].every((name) => read(one, name).equals(read(other, name)));
  } catch {
    return false;
  }
}

/** Takes the copy away, unless it is the copy that runs. */
export function removeCopy(root: string, dataFolder: string): void {
  const app = join(dataFolder, 'app');
  if (dirname(root) !== app) rmSync(app, { recursive: true, force: true });
}

/**
 * The path of Node that stays when Node is updated: Homebrew keeps each version in a folder of its own, and a link to the
 * newest beside them.
 */
export function stableNode(node: string): string {
  const [, prefix, formula] = node.match(/^(.*)\/Cellar\/(node[^/]*)\/[^/]+\/bin\/node$/) ?? [];
  const link = prefix && formula && join(prefix, 'opt', formula, 'bin', 'node');
  return link && existsSync(link) && realpathSync(link) === realpathSync(node) ? link : node;
}
