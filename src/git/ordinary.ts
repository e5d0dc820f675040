import { type Dirent, readdirSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { PrecedentError } from '../domain/error.ts';
import { otherThanFile } from '../domain/file-kind.ts';
import { readIfOrdinary } from '../files/bounded.ts';
import { lookAt, realPath } from '../files/machines.ts';
import { homeForGit } from './ask.ts';

/**
 * The entries that git reads in a git folder, and in those of its worktrees, for any question of `ask.ts`. Hooks, logs and
 * files of other tools are not among them: people link these to elsewhere.
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
 * The reason why git may not be asked about a git folder (Z-3): git waits for the other end of a named pipe, and reads a link to
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
        return `its git folder has ${what} at ${path}, where git expects a file; git is not asked until you remove that`;
      }
      if (isGitFolder && entry.name.startsWith('config')) settings.push(join(whole, entry.name));
    }
  }
  return unusualSettings(settings);
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
    for (const { name, path } of pathsIn(text, dirname(file))) {
      if (path === undefined) return `${file} has a ${name} that is not understood`;
      if (isElsewhere(path, file)) return `${file} has a ${name} on another machine: ${path}`;
      if (name === INCLUDED) open.push(path);
    }
  }
  return undefined;
}

const NOT_READ = 'cannot be read, or is not a regular file of at most 1 MB';

const INCLUDED = 'included path';

/**
 * Where git looks for what a text of its settings says: the files that it includes, whatever the condition, and the work tree and
 * the store of references; rather too many than too few. Without a path where it is written as people seldom write it: with an
 * escape, or in the home of another user.
 */
function pathsIn(text: string, folder: string): { name: string; path: string | undefined }[] {
  const keys = /\[include/i.test(text) ? 'path|worktree|refstorage' : 'worktree|refstorage';
  return [...text.matchAll(new RegExp(`\\b(${keys})[ \\t]*=([^\\n]*)`, 'gi'))].map(
    ([, key = '', value = '']) => {
      const name = key.toLowerCase() === 'path' ? INCLUDED : key.toLowerCase();
      const path = plainValue(value)?.replaceAll('\\\\', '/');
      if (path === undefined || /\\|^%\(|^~[^/]/.test(path)) return { name, path: undefined };
      // An address, in versions of git that keep references elsewhere.
      const plain = name === 'refstorage' ? path.replace(/^\w+:\/\//, '') : path;
      if (plain.startsWith('~/')) return { name, path: join(homeForGit(), plain.slice(2)) };
      // Not made shorter: the system reads `..` after the links before it.
      return { name, path: isAbsolute(plain) ? plain : `${folder}/${plain}` };
    },
  );
}

/** Whether a path leads to another machine than a file that names it (Z-15). */
function isElsewhere(path: string, file: string): boolean {
  try {
    realPath(path, file);
    return false;
  } catch (error) {
    return error instanceof PrecedentError;
  }
}

/** A value without its quotes and a comment; undefined where git might read another one. */
function plainValue(text: string): string | undefined {
  // Blanks that git keeps, control characters, and what is not UTF-8.
  if (/(?![ \t\r])[\s\p{Cc}\ufffd]/u.test(text) || text.length > LONGEST_PATH) return undefined;
  const [, quoted, bare, rest = ''] = text.trim().match(/^(?:"([^"]*)"|([^"#;]*))(.*)$/) ?? [];
  return /^ *(?:[#;]|$)/.test(rest) ? (quoted ?? bare?.trim()) : undefined;
}
