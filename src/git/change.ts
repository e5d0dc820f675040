import { unavailable } from '../domain/error.ts';
import { askGit, type GitAnswer } from './ask.ts';
import type { GitFolder } from './folder.ts';
import { blobsIn, hasAlternates, linesOf, PROBLEMS } from './questions.ts';

/** What is between two commits, or between a commit and the index. */
export interface Change {
  /** Paths from the top folder, in composed Unicode; of a renamed file its old and its new one. */
  files: string[];
  /** The id of what each file holds after the change; undefined for one that is gone, and for what is no regular file. */
  blobs: Map<string, string | undefined>;
  /** The commit that it starts from. */
  base: string;
  /** When the commit was made that the change starts from, in milliseconds UTC. */
  since: number;
  /** The messages of its commits. */
  messages: string;
}

const isFile = (mode: string) => mode.startsWith('100');

/**
 * A change (F-5). What came to the base meanwhile is no part of it.
 * @param range two commits; none for what is staged
 * @returns a problem where git does not say
 */
export async function changeOf(
  { shared, top }: GitFolder,
  range: { base: string; head: string } | undefined,
): Promise<Change | { problem: string }> {
  if (hasAlternates(shared)) return { problem: 'it keeps its objects in another folder' };
  const names = range === undefined ? ['HEAD'] : [range.base, range.head];
  const unknown = { problem: `${names.join(' and ')} have no common commit here; is the clone shallow?` };
  // Nothing that is typed is an option of git's.
  if (names.some((name) => !/^[^-\s][^\s]*$/.test(name))) return unknown;
  const { bytes: found } = await askGit(top, 'merge-base', [names[0] as string, names.at(-1) as string]);
  const [base] = linesOf(found);
  if (base === undefined) return unknown;
  const [changed, dated, said] = await Promise.all([
    range === undefined
      ? askGit(top, 'diff-index', [base, '--'])
      : askGit(top, 'diff-tree', [base, range.head, '--']),
    askGit(top, 'log', ['-1', '--format=%ct', base, '--']),
    askGit(top, 'log', ['--format=%B', `${base}..${range?.head ?? base}`, '--']),
  ]);
  const failure = changed.failure ?? dated.failure ?? said.failure;
  if (failure) return { problem: PROBLEMS[failure] };
  // `:100644 100644 1a2b… 3c4d… M`, and the path behind it.
  const words = `${changed.bytes}`.split('\0');
  const blobs = new Map<string, string | undefined>();
  for (let at = 0; at + 1 < words.length; at += 2) {
    const [, mode = '', , id = ''] = (words[at] as string).split(' ');
    blobs.set(words[at + 1] as string, isFile(mode) && /[^0]/.test(id) ? id : undefined);
  }
  return {
    files: [...blobs.keys()].map((each) => each.normalize('NFC')),
    blobs,
    base,
    since: Number(linesOf(dated.bytes)[0]) * 1_000,
    messages: `${said.bytes}`,
  };
}

/** A file as a commit has it. */
export interface Blob {
  path: string;
  id: string;
}

/** All folders of a commit, from the top folder on. */
export async function foldersAt({ top }: GitFolder, commit: string): Promise<string[]> {
  return textOf(await askGit(top, 'ls-tree', ['-d', '--name-only', commit]))
    .split('\0')
    .filter(Boolean);
}

/** The regular files in these folders of a commit: no link, and no repository inside. */
export async function filesAt({ top }: GitFolder, commit: string, folders: string[]): Promise<Blob[]> {
  if (folders.length === 0) return [];
  const listed = textOf(await askGit(top, 'ls-tree', [commit, '--', ...folders.map((each) => `${each}/`)]));
  return listed.split('\0').flatMap((each) => {
    const [, mode = '', id = '', path = ''] = /^(\d+) blob (\S+)\t(.*)$/s.exec(each) ?? [];
    return isFile(mode) ? { path, id } : [];
  });
}

/** Files that git is asked for at once: all of them together are one answer, which has a limit. */
const AT_ONCE = 200;

/**
 * What files hold, read from git's own store: no filter of the folder's runs.
 * @param names ids of theirs, or `commit:path` @returns in their order; undefined for what is not there
 * @throws PrecedentError `unavailable` where git does not say
 */
export async function contentsOf({ top }: GitFolder, names: string[]): Promise<(Buffer | undefined)[]> {
  const found: (Buffer | undefined)[] = [];
  for (let from = 0; from < names.length; from += AT_ONCE) {
    const asked = names.slice(from, from + AT_ONCE);
    const bytes = bytesOf(await askGit(top, 'cat-file', ['--batch'], `${asked.join('\n')}\n`));
    found.push(...blobsIn(bytes));
  }
  return found;
}

const textOf = (answer: GitAnswer) => bytesOf(answer).toString();

function bytesOf({ bytes, failure }: GitAnswer): Buffer {
  if (bytes) return bytes;
  throw unavailable(`Expected the decision records of the repository, found that ${PROBLEMS[failure]}.`);
}
