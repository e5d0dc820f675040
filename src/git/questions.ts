import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { askGit, askGitAtOnce, type GitAnswer, type Question } from './ask.ts';
import type { GitFolder } from './folder.ts';

/** First commits that count, the oldest: some repositories join thousands of histories, and all would be kept. */
const MOST_FIRST = 1_000;

/** The first commits of a repository, over all its branches and tags; or why they cannot be known. */
export interface FirstCommits {
  /** As 40 or 64 hexadecimal digits. */
  ids?: string[];
  problem?: string;
  /** Whether git did not answer in time: it may the next time. */
  isLate?: boolean;
}

/**
 * The URL of `origin`, else of the first remote; none without a remote, and where git does not say.
 * @returns `problem` where git took too long
 */
export async function remoteOf(top: string): Promise<{ url?: string | undefined } & FirstCommits> {
  const options = ['--local', '--no-includes', '--get-regexp', '^remote\\..*\\.url$'];
  const { bytes, failure } = await askGit(top, 'config', options);
  if (failure === 'slow') return { problem: 'git took too long to read its settings', isLate: true };
  const remotes = linesOf(bytes).map((line) => line.match(/^remote\.(.*)\.url (.*)$/) ?? []);
  const [, , url] = remotes.find(([, name]) => name === 'origin') ?? remotes[0] ?? [];
  return { url: url?.trim() || undefined };
}

/** Git's user in a folder, as `Name <e-mail>`; undefined when git knows neither or does not say. @param late called if git is */
export async function userOf(top: string, late: () => void): Promise<string | undefined> {
  const { bytes, failure } = await askGit(top, 'config', ['--get-regexp', '^user\\.(name|email)$']);
  if (failure === 'slow') late();
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
 * The first commits of a repository. Its clones, worktrees and forks share them, and nobody can claim them without having
 * them (Z-2): git lists them, each is in the repository's own store, and its id is the digest of its content.
 * Objects stored elsewhere and a shallow history are a problem: by them a folder could claim the commits of another
 * repository on this machine. Links were refused before (`ordinary.ts`).
 */
export async function firstCommitsOf({ shared, top }: GitFolder): Promise<FirstCommits> {
  if (isThere(join(shared, 'shallow'))) return { problem: 'it is a shallow clone' };
  if (hasAlternates(shared)) return { problem: 'it keeps its objects in another folder' };
  const listed = await askGit(top, 'rev-list', ['--max-parents=0', '--all']);
  if (listed.failure) return because(listed.failure);
  const ids = linesOf(listed.bytes).slice(-MOST_FIRST);
  if (ids.length === 0) return { problem: 'it has no commit yet' };
  const said = await askGit(top, 'cat-file', ['--batch'], ids.join('\n'));
  if (said.failure) return because(said.failure);
  const read = objectsIn(said.bytes, 'commit');
  const own = ids.filter((id, at) => isFirst(id, read[at]));
  return own.length > 0 ? { ids: own } : { problem: 'its first commits cannot be read from it' };
}

/**
 * When a file was first committed, in milliseconds UTC; undefined where git does not say.
 * @param file its path from the top folder
 */
export function firstCommittedAt({ shared, top }: GitFolder, file: string): number | undefined {
  if (hasAlternates(shared)) return undefined;
  const { bytes } = askGitAtOnce(top, 'log', ['--diff-filter=A', '--follow', '--format=%aI', '--', file]);
  return Date.parse(linesOf(bytes).at(-1) ?? '') || undefined;
}

/**
 * The oldest first commit of what is checked out, which clones and worktrees share; undefined where git does not say, and in a
 * shallow clone, which has only later ones.
 */
export function firstCommitOf({ shared, top }: GitFolder): string | undefined {
  if (hasAlternates(shared) || isThere(join(shared, 'shallow'))) return undefined;
  const { bytes } = askGitAtOnce(top, 'rev-list', ['--max-parents=0', 'HEAD', '--']);
  return linesOf(bytes).at(-1);
}

/** The date of the commit that a tag, a branch or an id names, as ISO 8601; undefined where git does not know it. */
export async function committedAt(git: GitFolder, revision: string): Promise<string | undefined> {
  const options = ['-1', '--format=%cI', '--end-of-options', revision, '--'];
  return linesOf(await askHistory(git, 'log', options))[0];
}

/** Whether a path is in the history of what is checked out. @param path from the top folder */
export async function hasHistory(git: GitFolder, path: string): Promise<boolean> {
  return linesOf(await askHistory(git, 'log', ['-1', '--format=%H', '--', path])).length > 0;
}

/** Commits that {@link changedWith} reads, and the most files of one that counts: larger commits say nothing of a file. */
const NEAR = { commits: 100, files: 8 };

/**
 * Things committed together with a file (F-2), the newest first: decisions that the messages name (`Decision: topic`), and
 * Markdown files. @param path from the top folder
 */
export async function changedWith(git: GitFolder, path: string): Promise<string[]> {
  const how = ['--no-merges', '--no-renames', '--full-diff', '--name-only', '-z', '--format=%x01%B%x02'];
  const bytes = await askHistory(git, 'log', [`-${NEAR.commits}`, ...how, '--', path]);
  const [, ...commits] = `${bytes ?? ''}`.split('\x01');
  return commits.flatMap((commit) => {
    const [message = '', names = ''] = commit.split('\x02');
    const files = names
      .normalize('NFC')
      .split('\0')
      .flatMap((each) => each.trim() || []);
    return files.length > NEAR.files
      ? []
      : [...decisionsSaid(message), ...files.filter((file) => /\.md$/i.test(file))];
  });
}

/** The decisions that a message names by a line `Decision: topic`. */
export const decisionsSaid = (message: string): string[] =>
  [...message.matchAll(/^Decision:[ \t]*(.+)$/gim)].map(([, name = '']) => name.trim().normalize('NFC'));

/**
 * A digest of the commits that all references lead to: it changes when one of them does, and needs no walk through the
 * history. Undefined where git does not say.
 */
export async function tipsOf(git: GitFolder): Promise<string | undefined> {
  const bytes = await askHistory(git, 'rev-list', ['--no-walk', '--all']);
  return bytes && process.getBuiltinModule('node:crypto').hash('sha256', bytes);
}

/** The answers of git about a repository, unless it would read objects in other folders; undefined where there is none. */
export const askHistory = async ({ shared, top }: GitFolder, question: Question, options: string[]) =>
  hasAlternates(shared) ? undefined : (await askGit(top, question, options)).bytes;

/** Why git gave no answer, in the words of messages. */
export const PROBLEMS = {
  missing: 'git is not installed',
  slow: 'its history is too long, or git took too long to answer',
  refused: 'git does not trust this folder, or cannot read it',
};

const because = (failure: keyof typeof PROBLEMS): FirstCommits => ({
  problem: PROBLEMS[failure],
  isLate: failure === 'slow',
});

/** The contents of objects in an answer of `cat-file --batch`, in the order asked: undefined if an object is missing or no file. */
export const blobsIn = (bytes: Buffer) => objectsIn(bytes, 'blob');

function objectsIn(bytes: Buffer, wanted: 'blob' | 'commit'): (Buffer | undefined)[] {
  const found: (Buffer | undefined)[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf('\n', at);
    const [, kind, size] = / (\w+) (\d+)$/.exec(bytes.toString('utf8', at, end)) ?? [];
    // A missing object has only this line.
    const next = end + 1 + (size === undefined ? 0 : Number(size) + 1);
    found.push(kind === wanted ? bytes.subarray(end + 1, next - 1) : undefined);
    at = next;
  }
  return found;
}

export const linesOf = (bytes: GitAnswer['bytes']) => (bytes?.toString() ?? '').split('\n').filter(Boolean);

/** Whether a commit is what its id says, and has no parent. */
function isFirst(id: string, body: Buffer | undefined): boolean {
  if (!body) return false;
  // Loaded on use, as few commands need it.
  const { createHash } = process.getBuiltinModule('node:crypto');
  const digest = createHash(id.length === 64 ? 'sha256' : 'sha1')
    .update(`commit ${body.length}\0`)
    .update(body);
  const headers = body.toString('latin1').split('\n\n')[0] ?? '';
  return digest.digest('hex') === id && !/^parent /m.test(headers);
}

/** Whether git would read objects in other folders, which nothing has checked. */
export const hasAlternates = (shared: string) => isThere(join(shared, 'objects', 'info', 'alternates'));

/** Whether a file exists; also true where that cannot be found out. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}
