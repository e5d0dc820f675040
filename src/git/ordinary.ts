import { type Dirent, lstatSync, readdirSync, type Stats } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { otherThanFile } from '../domain/file-kind.ts';
import { readIfOrdinary } from '../files/bounded.ts';
import { homeForGit } from './ask.ts';

/**
 * What git reads in a git folder, and in those of its worktrees, for any question of `ask.ts`. Hooks, logs and what other
 * tools keep there is not: people link these to elsewhere.
 */
const READ = [
  'HEAD',
  'commondir',
  'gitdir',
  'config',
  'config.worktree',
  'packed-refs',
  'shallow',
  'refs',
  'reftable',
  'objects',
  'worktrees',
  // Without a work tree, also attributes.
  '.gitattributes',
  'info/attributes',
];
/** Levels of folders, and entries that are looked at in all. */
const DEEPEST = 64;
const MOST = 200_000;
/** Files that the settings of a repository may include, and characters of the path of one. */
const MOST_INCLUDED = 20;
const LONGEST_PATH = 4096;

/**
 * What keeps git from being asked about a git folder (Z-3): git waits for the other end of a named pipe, and reads a link to
 * an endless device to the end. So what git reads must be files and folders, and so must what its settings include. No link
 * is followed.
 * @returns for a message, with what to do; undefined where git may be asked
 */
export function unusualIn(gitFolder: string): string | undefined {
  const settings: string[] = [];
  const open = [''];
  let looked = 0;
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    const whole = join(gitFolder, folder);
    const isGitFolder = folder === '' || dirname(folder) === 'worktrees';
    const entries = isGitFolder ? readAlways(whole) : entriesOf(whole);
    if (entries === undefined) return `${folder} in its git folder may not be read`;
    looked += entries.length;
    if (looked > MOST) return `its git folder has more than ${MOST} loose files, which "git gc" packs`;
    if (folder.split('/').length > DEEPEST)
      return `its git folder has more than ${DEEPEST} levels of folders`;
    for (const entry of entries) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) open.push(path);
      else if (!entry.isFile()) {
        const what = entry.isSymbolicLink() ? 'a link' : otherThanFile(entry);
        return `its git folder has ${what} at ${path}, where git expects a file; git is asked once that is removed`;
      }
      if (isGitFolder && entry.name.startsWith('config')) settings.push(join(whole, entry.name));
    }
  }
  return unusualSettings(settings);
}

/** What is at a path itself, whatever it links to; undefined for nothing, and where that cannot be found out. */
export function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Asked for by name: some file systems find a file by other spellings, too. */
function readAlways(gitFolder: string) {
  return READ.flatMap((name) => {
    const found = lookAt(join(gitFolder, name));
    return found ? [Object.assign(found, { name })] : [];
  });
}

/** Undefined where it may not be read. Git may remove a folder meanwhile. */
function entriesOf(folder: string): Dirent[] | undefined {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? [] : undefined;
  }
}

/** Which file of settings, or which that one includes, is not a regular file, or too large. */
function unusualSettings(files: string[]): string | undefined {
  const open = [...files];
  for (const file of open) {
    if (lookAt(file) === undefined) continue;
    if (open.length > files.length + MOST_INCLUDED)
      return `its git settings include more than ${MOST_INCLUDED} files`;
    const text = readIfOrdinary(file)?.toString();
    if (text === undefined) return `its git settings are read from ${file}, which ${NOT_READ}`;
    for (const path of includedBy(text, dirname(file))) {
      if (path === undefined) return `${file} includes other git settings by a path that is not understood`;
      open.push(path);
    }
  }
  return undefined;
}

const NOT_READ = 'cannot be read, or is not a regular file of at most 1 MB';

/**
 * The files that a text of git's settings may include, whatever the condition; rather too many than too few. Undefined for
 * one that is written as people seldom write it: with an escape, or in the home of another user.
 */
function includedBy(text: string, folder: string): (string | undefined)[] {
  if (!/\[include/i.test(text)) return [];
  return [...text.matchAll(/\bpath[ \t]*=([^\n]*)/gi)].map(([, value = '']) => {
    const path = plainValue(value)?.replaceAll('\\\\', '/');
    if (path === undefined || /\\|^%\(|^~[^/]/.test(path)) return undefined;
    return path.startsWith('~/') ? join(homeForGit(), path.slice(2)) : resolve(folder, path);
  });
}

/** A value without its quotes and a comment; undefined where git might read another one. */
function plainValue(text: string): string | undefined {
  // Blanks that git keeps, control characters, and what is not UTF-8.
  if (/(?![ \t\r])[\s\p{Cc}\ufffd]/u.test(text) || text.length > LONGEST_PATH) return undefined;
  const [, quoted, bare, rest = ''] = text.trim().match(/^(?:"([^"]*)"|([^"#;]*))(.*)$/) ?? [];
  return /^ *(?:[#;]|$)/.test(rest) ? (quoted ?? bare?.trim()) : undefined;
}
