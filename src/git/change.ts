import { askGit } from './ask.ts';
import type { GitFolder } from './folder.ts';
import { hasAlternates, linesOf, PROBLEMS } from './questions.ts';

/** What is between two commits, or between a commit and the index. */
export interface Change {
  /** Paths from the top folder, in composed Unicode; of a renamed file its old and its new one. */
  files: string[];
  /** When the commit was made that the change starts from, in milliseconds UTC. */
  since: number;
  /** The messages of its commits. */
  messages: string;
}

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
  const files = `${changed.bytes}`.split('\0').filter(Boolean);
  return {
    files: files.map((each) => each.normalize('NFC')),
    since: Number(linesOf(dated.bytes)[0]) * 1_000,
    messages: `${said.bytes}`,
  };
}
