import { lstatSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, posix, win32 } from 'node:path';
import { readBounded } from '../../files/bounded.ts';
import { pathOf } from '../../files/program.ts';
import type { Machine } from '../agent.ts';
import { makeFolders, removeEmpty } from '../files.ts';
import { forSh } from '../shell.ts';

/** By this a file is known to be ours. */
const MARK = 'Written by "precedent setup", which renews it; "precedent unsetup" removes it.';
/** Follows it: how many folders setup made for the file, which are removed with it. */
const MADE = /Folders made for it: (\d)\./;
/** Bytes of a file that may be ours. */
const LONGEST = 4_096;

/** The command of a person, as it may be on a machine (V-7). */
export interface Command {
  /** Where it is, or would be. */
  file: string;
  /** `ours`: setup has written it; `other`: somebody else has a file there, which is left. */
  is: 'missing' | 'ours' | 'other';
  /** How to bring the folder into PATH, in a sentence; undefined where it is. */
  toPath: string | undefined;
}

/** The command in the folder that systems keep for commands of a user: npm's on Windows, which has one with Node. */
export function commandOn({ home, environment, platform }: Machine): Command {
  const isWindows = platform === 'win32';
  const path = isWindows ? win32 : posix;
  const folder = isWindows
    ? win32.join(environment.APPDATA || win32.join(home, 'AppData', 'Roaming'), 'npm')
    : posix.join(home, '.local', 'bin');
  const file = path.join(folder, isWindows ? 'precedent.cmd' : 'precedent');
  const folders = pathOf(environment)
    .split(isWindows ? ';' : delimiter)
    .map((each) => path.normalize(each));
  const isThere = folders.some((each) => each === folder || each === `${folder}${path.sep}`);
  // For PowerShell: setx cuts a long PATH off, and would make that of the machine the user's own.
  const toPath = isWindows
    ? `Run this once in PowerShell: [Environment]::SetEnvironmentVariable('Path', [Environment]::GetEnvironmentVariable('Path', 'User') + ';${folder.replaceAll("'", "''")}', 'User')`
    : 'Add this line to your shell’s settings: export PATH="$HOME/.local/bin:$PATH"';
  return { file, is: kindOf(file), toPath: isThere ? undefined : toPath };
}

function kindOf(file: string): Command['is'] {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (!found) return 'missing';
  return found.isFile() && beginningOf(file).includes(MARK) ? 'ours' : 'other';
}

const beginningOf = (file: string) =>
  `${readBounded(file, { limit: Number.POSITIVE_INFINITY, first: LONGEST }) ?? ''}`;
const madeFor = (file: string) => Number(MADE.exec(beginningOf(file))?.[1] ?? 0);

/** The content of the file: it starts the program that agents start, on the Node that setup keeps. */
export function textOfCommand(platform: NodeJS.Platform, node: string, program: string): string {
  const quoted = (word: string) => `"${word.replaceAll('%', '%%')}"`;
  return platform === 'win32'
    ? `@rem ${MARK}\r\n@${quoted(node)} ${quoted(program)} %*\r\n`
    : `#!/bin/sh\n# ${MARK}\nexec ${forSh([node, program])} "$@"\n`;
}

/** Writes it, unless something else is there. */
export function enterCommand({ file, is }: Command, text: string): void {
  if (is === 'other') return;
  const made = makeFolders(dirname(file)).length || (is === 'ours' ? madeFor(file) : 0);
  writeFileSync(file, text.replace(MARK, `${MARK} Folders made for it: ${made}.`), { mode: 0o755 });
}

/** Removes it where it is ours, with its folder where setup has made it and nothing else is in it. */
export function removeCommand({ file, is }: Command): boolean {
  if (is !== 'ours') return false;
  const folder = dirname(file);
  const made = [dirname(folder), folder].slice(-madeFor(file) || 2);
  rmSync(file);
  removeEmpty(made);
  return true;
}
