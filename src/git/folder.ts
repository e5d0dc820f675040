import { type Stats, statSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { normalizeName } from '../domain/text/text.ts';
import { readIfOrdinary } from '../files/bounded.ts';
import { realOrSame } from '../files/led-out.ts';
import { lookAt, realIfHere } from '../files/machines.ts';
import { unusualIn } from './ordinary.ts';
import { settingIn } from './setting-in.ts';

/** The git folder of a repository. */
export interface GitFolder {
  /** `.git`, or the folder of a bare repository: the one that all worktrees share. Absolute, links resolved. */
  shared: string;
  /** The one that has the `HEAD` of a worktree. */
  own?: string;
  /** The folder of the work tree, which git is asked in. */
  top: string;
}

/**
 * Where a repository without a work tree is among its worktrees, as people make it. Any other folder inside may be one that
 * somebody else's repository was put into later, and does not agree.
 */
const BARE = '.bare';
/** Bytes of a file that names a folder. */
const LONGEST_NAME = 4096;

/**
 * The repository around a folder, found by its files alone: git may be missing, slow, or refuse a repository that belongs
 * to another user, and a repository is one all the same.
 *
 * A folder is believed to belong to a git folder elsewhere only where that one says so, too (Z-2): the worktree is one of
 * those that it lists, the submodule is where it says. A stranger can put a file or a link to any git folder of this machine
 * into an archive.
 * @returns undefined outside of a repository; `top` alone where its git folder is another one's
 */
export function findGitFolder(cwd: string): GitFolder | { shared?: undefined; top: string } | undefined {
  const start = realOrSame(cwd);
  for (const folder of upwards(start)) {
    const inside = join(folder, '.git');
    const found = lookAt(inside);
    if (found === undefined) continue;
    const git = found.isDirectory() ? ownFolder(inside) : namedFolder(inside, found, folder);
    return git ? { ...git, top: folder } : { top: folder };
  }
  // Only where no work tree is around it: such a folder can be committed into one.
  const bare = upwards(start).find(isBare);
  return bare === undefined ? undefined : { shared: bare, top: bare };
}

/**
 * The branch that a folder is on, as `HEAD` says it: no git is started, and a folder that is not believed is not read.
 * @returns undefined on the main branch, which tells a reader nothing, on none, and outside of a repository
 */
export function branchOf(cwd: string): string | undefined {
  const git = findGitFolder(cwd);
  if (git?.shared === undefined) return undefined;
  const branch = led(join(git.own ?? git.shared, 'HEAD'), 'refs/heads/');
  const main = led(join(git.shared, 'refs', 'remotes', 'origin', 'HEAD'), 'refs/remotes/origin/');
  return branch === undefined || branch === main || MAIN.includes(branch) ? undefined : branch;
}
const MAIN = ['main', 'master', 'trunk'];

/** Where a reference leads; undefined for a name that git would not give. Where references are kept in tables, `HEAD` has one. */
function led(file: string, to: string): string | undefined {
  const [, name = ''] = firstLine(file, dirname(file))?.split(`ref: ${to}`) ?? [];
  return isBranchName(name) ? normalizeName(name) : undefined;
}

/** Characters of a branch's name that is kept. */
const LONGEST_BRANCH = 250;
/**
 * Characters that `git check-ref-format --branch` refuses, invisible ones, and those that could end the frame of a text for a
 * model.
 */
const NO_BRANCH =
  /^[-/]|^@?$|^\.|\/\.|\.\.|\/\/|@\{|(?:[/.]|\.lock)$|\.lock\/|[ ~^:?*[\\<>\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/u;
const isBranchName = (name: string) => name.length <= LONGEST_BRANCH && !NO_BRANCH.test(name);

/**
 * The identity of a folder in its file system. A number is given out again once its folder is gone, hence the time it was made,
 * where the file system keeps one: others give the time of the last change in its place.
 */
export function identityOf(folder: string): string {
  const { ino, birthtimeMs, dev } = statSync(folder);
  // A new folder was not changed yet; the one above it was, at least when this one was made.
  const keepsTimes = [folder, dirname(folder)].some((each) => {
    const found = statSync(each);
    return found.dev === dev && found.birthtimeMs > 0 && found.birthtimeMs < found.ctimeMs;
  });
  return keepsTimes ? `${ino}@${birthtimeMs}` : String(ino);
}

/** A folder with its links resolved, and the top of its repository: itself outside of one. */
export function placedIn(cwd: string): { folder: string; top: string } {
  const folder = realOrSame(cwd);
  return { folder, top: findGitFolder(folder)?.top ?? folder };
}

/** The repository around a folder, where git may be asked about it; undefined where it may not. */
export function askable(cwd: string): GitFolder | undefined {
  const git = findGitFolder(cwd);
  return git?.shared !== undefined && unusualIn(git.shared) === undefined ? git : undefined;
}

/** A folder and all above it. */
export function upwards(folder: string): string[] {
  return dirname(folder) === folder ? [folder] : [folder, ...upwards(dirname(folder))];
}

/** A git folder that shares that of another repository is a worktree's, and those are not called `.git`. */
function ownFolder(gitFolder: string): Folders | undefined {
  return lookAt(join(gitFolder, 'commondir')) === undefined ? { shared: realOrSame(gitFolder) } : undefined;
}
type Folders = Pick<GitFolder, 'shared' | 'own'>;

/** The git folder that a file or a link in the place of `.git` names; undefined where that one does not agree. */
function namedFolder(file: string, found: Stats, top: string): Folders | undefined {
  const named = found.isSymbolicLink() ? file : firstLine(file)?.match(/^gitdir: (.+)$/)?.[1];
  const folder = named === undefined ? undefined : realFolder(named, top);
  if (folder === undefined) return undefined;
  const common = firstLine(join(folder, 'commondir'));
  if (common !== undefined) return ofWorktree(folder, common, file);
  const isOwn = folder === join(top, BARE) || isSubmodule(folder, top);
  return isOwn ? ownFolder(folder) : undefined;
}

/** A worktree's own git folder is among those of the repository, and names the file that led there. */
function ofWorktree(own: string, common: string, file: string): Folders | undefined {
  const shared = realFolder(common, own);
  const back = firstLine(join(own, 'gitdir'));
  if (shared === undefined || dirname(own) !== join(shared, 'worktrees') || back === undefined)
    return undefined;
  return realNamed(back, own) === file ? { shared, own } : undefined;
}

/** A submodule's git folder is in that of the repository around it, and names the folder that led there. */
function isSubmodule(folder: string, top: string): boolean {
  const settings = readIfOrdinary(join(folder, 'config'))?.toString() ?? '';
  const workTree = settingIn(settings, 'core.worktree');
  return workTree !== undefined && realNamed(workTree, folder) === top;
}

/** Git's own test, without a link in the place of any of the three. */
function isBare(folder: string): boolean {
  const [head, ...folders] = ['HEAD', 'objects', 'refs'].map((name) => lookAt(join(folder, name)));
  return (head?.isFile() ?? false) && folders.every((each) => each?.isDirectory());
}

function firstLine(file: string, within?: string): string | undefined {
  return (
    readIfOrdinary(file, { limit: LONGEST_NAME, within })?.toString().split('\n')[0]?.trim() || undefined
  );
}

function realFolder(named: string, folder: string): string | undefined {
  const real = realNamed(named, folder);
  return real !== undefined && lookAt(real)?.isDirectory() ? real : undefined;
}

/** A path that a file in a folder names, as the system reads it; undefined for nothing, and for another machine (Z-15). */
function realNamed(named: string, folder: string): string | undefined {
  return realIfHere(isAbsolute(named) ? named : `${folder}/${named}`, folder);
}
