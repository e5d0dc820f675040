import { unavailable } from '../domain/error.ts';
import { SMALL } from '../files/bounded.ts';
import { askGit, type GitAnswer } from './ask.ts';
import type { GitFolder } from './folder.ts';
import { blobsIn, hasAlternates, linesOf, PROBLEMS } from './questions.ts';

/** The difference between two commits, or between a commit and the index. */
export interface Change {
  /** Its paths from the top folder, of a renamed file the old and the new one, with the ids of what each held and holds. */
  files: ChangedFile[];
  /** The commit that it starts from. */
  base: string;
  /** When the commit was made that the change starts from, in milliseconds UTC; 0 before the first one. */
  since: number;
  /** The messages of its commits. */
  messages: string;
  /** The authors of its commits, as `Name <e-mail>`; none for what is staged. */
  authors: string[];
}

/** The content of a file before and after the change; undefined where there is none, and for anything but a regular file. */
interface ChangedFile {
  path: string;
  before: string | undefined;
  after: string | undefined;
  /** Whether it is a repository inside: what names files in it names it. */
  isModule: boolean;
}

const isFile = (mode: string) => mode.startsWith('100');

/**
 * A change (F-5). Commits that came to the base meanwhile are not part of it.
 * @param range two commits; none for what is staged
 * @returns a problem where git does not say
 */
export async function changeOf(
  { shared, top }: GitFolder,
  range: { base: string; head: string } | undefined,
): Promise<Change | { problem: string }> {
  if (hasAlternates(shared)) return { problem: 'it keeps its objects in another folder' };
  const names = range === undefined ? ['HEAD'] : [range.base, range.head];
  const unknown = { problem: `${names.join(' and ')} have no common commit here, or the clone is shallow` };
  // Nothing that is typed is an option of git's.
  if (names.some((name) => !/^[^-\s][^\s]*$/.test(name))) return unknown;
  const { bytes: found } = await askGit(top, 'merge-base', [names[0] as string, names.at(-1) as string]);
  const [base] = linesOf(found);
  if (base === undefined) {
    const all = await askGit(top, 'rev-list', ['--max-count=1', '--all']);
    const isNew = all.bytes !== undefined && linesOf(all.bytes).length === 0;
    if (isNew && range !== undefined)
      return { problem: 'the repository has no commit yet: leave the range out to check what is staged' };
    if (isNew) return firstChange(top);
    for (const name of names)
      if (linesOf((await askGit(top, 'merge-base', [name, name])).bytes).length === 0)
        return { problem: `${name} is not a commit here, or the clone is shallow` };
    return unknown;
  }
  const [changed, dated, said] = await Promise.all([
    range === undefined
      ? askGit(top, 'diff-index', [base, '--'])
      : askGit(top, 'diff-tree', [base, range.head, '--']),
    askGit(top, 'log', ['-1', '--format=%ct', base, '--']),
    askGit(top, 'log', ['-z', '--format=%an <%ae>%n%B', `${base}..${range?.head ?? base}`, '--']),
  ]);
  const failure = changed.failure ?? dated.failure ?? said.failure;
  if (failure) return { problem: PROBLEMS[failure] };
  const commits = `${said.bytes}`.split('\0').filter(Boolean);
  const messages = commits.map((each) => each.slice(each.indexOf('\n') + 1)).join('\n');
  return {
    files: changedIn(changed.bytes),
    base,
    since: Number(linesOf(dated.bytes)[0]) * 1_000,
    messages,
    authors: [...commits.map((each) => each.split('\n')[0] ?? ''), ...coAuthorsIn(messages)],
  };
}

/** The tree without files, which git knows in every repository. */
const NOTHING = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

/** The staged change where nothing was committed. */
async function firstChange(top: string): Promise<Change | { problem: string }> {
  const { bytes, failure } = await askGit(top, 'diff-index', [NOTHING, '--']);
  if (failure) return { problem: `it has no commit yet, and ${PROBLEMS[failure]}` };
  return { files: changedIn(bytes), base: NOTHING, since: 0, messages: '', authors: [] };
}

/** The files of `:100644 100644 1a2b… 3c4d… M`, each with the path after it. */
function changedIn(bytes: Buffer | undefined): ChangedFile[] {
  const words = `${bytes}`.split('\0');
  const blobOf = (mode = '', id = '') => (isFile(mode) && /[^0]/.test(id) ? id : undefined);
  const files: ChangedFile[] = [];
  for (let at = 0; at + 1 < words.length; at += 2) {
    const [from, to, before, after] = (words[at] as string).slice(1).split(' ');
    files.push({
      path: words[at + 1] as string,
      before: blobOf(from, before),
      after: blobOf(to, after),
      isModule: [from, to].includes('160000'),
    });
  }
  return files;
}

const coAuthorsIn = (messages: string) =>
  [...messages.matchAll(/^Co-authored-by:[ \t]*(.+)$/gim)].map(([, author = '']) => author);

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

/** Bytes of files that git is asked for at once: an answer has a limit, and all of it is held (Z-15). */
const AT_ONCE = 4 * SMALL;

/**
 * The content of files, one after the other, read from git's own store: no filter of the folder's runs. The size of a change
 * does not bound the memory that this takes (Z-15); what a caller keeps must not be a part of the text.
 * @param names ids of theirs, or `commit:path`
 * @returns with the name; left out is what is not there, and what is longer than 1 MiB
 * @throws PrecedentError `unavailable` where git does not say
 */
export async function* contentsOf(
  { top }: Pick<GitFolder, 'top'>,
  names: string[],
): AsyncGenerator<[name: string, bytes: Buffer]> {
  if (names.length === 0) return;
  const asking = async (how: string, asked: string[]) =>
    bytesOf(await askGit(top, 'cat-file', [how], asked.map((each) => `${each}\n`).join('')));
  const sizes = linesOf(await asking('--batch-check', names)).map((line) =>
    Number(/ blob (\d+)$/.exec(line)?.[1]),
  );
  let bytes = 0;
  const groups = Map.groupBy(names.entries(), ([at]) => {
    const size = sizes[at] ?? Number.NaN;
    // Git gives no size for what is missing.
    if (!(size <= SMALL)) return undefined;
    bytes += size;
    return Math.floor(bytes / AT_ONCE);
  });
  groups.delete(undefined);
  for (const group of groups.values()) {
    const asked = group.map(([, name]) => name);
    for (const [index, held] of blobsIn(await asking('--batch', asked)).entries())
      if (held) yield [asked[index] as string, held];
  }
}

const textOf = (answer: GitAnswer) => bytesOf(answer).toString();

function bytesOf({ bytes, failure }: GitAnswer): Buffer {
  if (bytes) return bytes;
  throw unavailable.git_failed(
    `Expected the decision records of the repository, found that ${PROBLEMS[failure]}.`,
  );
}
