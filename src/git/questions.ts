import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { askGit, askGitAtOnce, type GitAnswer } from './ask.ts';
import type { GitFolder } from './folder.ts';

/** The first commits of a repository, over all its branches and tags; or why they cannot be known. */
export interface FirstCommits {
  /** As 40 or 64 hexadecimal digits. */
  ids?: string[];
  problem?: string;
  /** Whether asking again would take as long. */
  isLasting?: boolean;
}

/** The URL of `origin`, else of the first remote. Undefined without a remote, and where git does not say. */
export async function remoteOf(top: string): Promise<string | undefined> {
  const options = ['--local', '--no-includes', '--get-regexp', '^remote\\..*\\.url$'];
  const { bytes } = await askGit(top, 'config', options);
  const remotes = linesOf(bytes).map((line) => line.match(/^remote\.(.*)\.url (.*)$/) ?? []);
  const [, , url] = remotes.find(([, name]) => name === 'origin') ?? remotes[0] ?? [];
  return url?.trim() || undefined;
}

/** Git's user in a folder, as `Name <e-mail>`; undefined when git knows neither or does not say. */
export async function userOf(top: string): Promise<string | undefined> {
  const { bytes } = await askGit(top, 'config', ['--get-regexp', '^user\\.(name|email)$']);
  const lines = linesOf(bytes);
  // The last one counts: that of the repository comes after that of the account.
  const [name, email] = ['name', 'email'].map((key) =>
    lines
      .findLast((line) => line.startsWith(`user.${key} `))
      ?.slice(`user.${key} `.length)
      .trim(),
  );
  if (!name) return email || undefined;
  return email ? `${name} <${email}>` : name;
}

/**
 * The first commits of a repository, which its clones, worktrees and forks share and which nobody can name who does not
 * have them (Z-2): git lists them, each is in the repository's own store, and its id is the digest of what it says.
 * Anything that would let a folder name the commits of another repository on this machine is a problem: objects that lie
 * elsewhere, links, a history that was cut.
 */
export async function firstCommitsOf({ shared, top }: GitFolder): Promise<FirstCommits> {
  const inside = (...names: string[]) => join(shared, ...names);
  if (isThere(inside('shallow'))) return { problem: 'it is a shallow clone' };
  if (isThere(inside('objects', 'info', 'alternates')) || hasLinks(inside('objects')))
    return { problem: 'it keeps its objects in another folder' };
  const listed = await askGit(top, 'rev-list', ['--max-parents=0', '--all']);
  if (listed.failure) return because(listed.failure);
  const ids = linesOf(listed.bytes);
  if (ids.length === 0) return { problem: 'it has no commit yet' };
  const read = await askGit(top, 'cat-file', ['--batch'], ids.join('\n'));
  if (read.failure) return because(read.failure);
  const own = ids.filter(
    (id) => isFirst(id, read.bytes) && !isLink(inside('objects', id.slice(0, 2), id.slice(2))),
  );
  return own.length > 0 ? { ids: own } : { problem: 'its first commits are not in it' };
}

/**
 * When a file was first committed, in milliseconds UTC; undefined where git does not say.
 * @param file its path from the top folder
 */
export function firstCommittedAt(top: string, file: string): number | undefined {
  const { bytes } = askGitAtOnce(top, 'log', ['--diff-filter=A', '--follow', '--format=%aI', '--', file]);
  return Date.parse(linesOf(bytes).at(-1) ?? '') || undefined;
}

/** Whether a repository has none of these commits any more, as after its history was written anew. */
export async function hasNone(top: string, ids: string[]): Promise<boolean> {
  const { bytes } = await askGit(top, 'cat-file', ['--batch-check'], ids.join('\n'));
  return bytes !== undefined && ids.every((id) => bytes.includes(`${id} missing\n`));
}

const PROBLEMS = {
  missing: 'git is not installed',
  slow: 'its history is too long, or git took too long to answer',
  refused: 'git does not trust this folder, or cannot read it',
};

const because = (failure: keyof typeof PROBLEMS): FirstCommits => ({
  problem: PROBLEMS[failure],
  isLasting: failure === 'slow',
});

const linesOf = (bytes: GitAnswer['bytes']) => (bytes?.toString() ?? '').split('\n').filter(Boolean);

/** Whether a commit is what its id says, and has no parent. @param read what `cat-file --batch` said of it and of others */
function isFirst(id: string, read: Buffer): boolean {
  const head = `${id} commit `;
  const at = read.indexOf(head);
  if (at < 0) return false;
  const from = read.indexOf('\n', at) + 1;
  const size = Number(read.toString('latin1', at + head.length, from));
  const body = read.subarray(from, from + size);
  // Loaded on use, as few commands need it.
  const { createHash } = process.getBuiltinModule('node:crypto');
  const digest = createHash(id.length === 64 ? 'sha256' : 'sha1')
    .update(`commit ${size}\0`)
    .update(body);
  const headers = body.toString('latin1').split('\n\n')[0] ?? '';
  return digest.digest('hex') === id && !/^parent /m.test(headers);
}

/** Whether a folder of objects, or one that every repository has in it, has a link to elsewhere. */
function hasLinks(objects: string): boolean {
  return [objects, join(objects, 'pack')].some(
    (folder) =>
      isLink(folder) ||
      (existsSync(folder) &&
        readdirSync(folder, { withFileTypes: true }).some((entry) => entry.isSymbolicLink())),
  );
}

/** Also where that cannot be told. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
  } catch {
    return true;
  }
}
