import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** The git folder of a repository. */
export interface GitFolder {
  /** `.git`, or the folder of a bare repository: the one that all worktrees share. Absolute, links resolved. */
  shared: string;
  /** The folder that relative paths in its settings start from. */
  top: string;
}

/**
 * The git folder of the repository around `cwd`, found by its files alone: git may be missing, slow, or refuse a
 * repository that belongs to another user, and a repository is one all the same. Undefined outside of a repository.
 */
export function findGitFolder(cwd: string): GitFolder | undefined {
  for (let folder = realOrSame(cwd); ; folder = dirname(folder)) {
    const inside = join(folder, '.git');
    const found = statSync(inside, { throwIfNoEntry: false });
    if (found?.isDirectory()) return { shared: sharedOf(inside), top: folder };
    if (found?.isFile()) return { shared: sharedOf(linkedFrom(inside)), top: folder };
    if (isBare(folder)) return { shared: sharedOf(folder), top: folder };
    if (dirname(folder) === folder) return undefined;
  }
}

/** A worktree's own git folder names the one it shares with the others. */
function sharedOf(gitFolder: string): string {
  const named = firstLine(join(gitFolder, 'commondir'));
  return realOrSame(named === undefined ? gitFolder : resolve(gitFolder, named));
}

/** Worktrees and submodules have a file that says where their git folder is. */
function linkedFrom(file: string): string {
  const [, named] = firstLine(file)?.match(/^gitdir: (.+)$/) ?? [];
  return named === undefined ? file : resolve(dirname(file), named);
}

/**
 * What the file system knows a folder by. A number is given out again once its folder is gone, hence the time it was made,
 * where the file system keeps one: others give the time of the last change in its place.
 */
export function identityOf(folder: string): string {
  const { ino, birthtimeMs, ctimeMs } = statSync(folder);
  return birthtimeMs > 0 && birthtimeMs < ctimeMs ? `${ino}@${birthtimeMs}` : String(ino);
}

function isBare(folder: string): boolean {
  return ['HEAD', 'objects', 'refs'].every((name) => existsSync(join(folder, name)));
}

function firstLine(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').split('\n')[0]?.trim() || undefined;
  } catch {
    return undefined;
  }
}

function realOrSame(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}
