import { statSync } from 'node:fs';
import { join } from 'node:path';
import { namedAmong } from '../domain/place-match.ts';
import { askable } from '../git/folder.ts';
import { movedAmong } from '../git/moved.ts';
import { filesOf } from '../git/renames.ts';

/** The files of a repository by git, as far as decisions name them. */
export interface Layout {
  /** The state of the repository that it is of. */
  of: string;
  /** Patterns that cover more than a third of the files: at each file they would say the same (RE-3). */
  wide: string[];
  /** Files by their names then and now, and what patterns that name nothing any more are called now. */
  renames: [old: string, heir: string][];
}

/** A repository of fewer files has no wide patterns. */
const FEW = 12;
const WIDE = 1 / 3;
/** Renames that are remembered. */
const MOST = 500;
/** How long git may take, in milliseconds: an agent waits. */
const PATIENCE = 400;

/**
 * The layout of the repository around a folder, from git where it changed since; undefined outside of one, and where git does
 * not say in time.
 * @param known one that another event asked for, of this state
 * @param patterns those of the memory
 */
export async function layoutOf(
  cwd: string,
  known: (of: string) => Layout | undefined,
  patterns: () => Promise<string[]>,
): Promise<Layout | undefined> {
  const git = askable(cwd);
  if (!git) return undefined;
  const { own = git.shared, top } = git;
  const log = statSync(join(own, 'logs', 'HEAD'), { throwIfNoEntry: false });
  const of = `${top} ${log?.mtimeMs} ${log?.size}`;
  const before = known(of);
  if (before) return before;
  const asked = await patterns();
  const none: Layout = { of, wide: [], renames: [] };
  if (asked.length === 0) return none;
  const work = async (): Promise<Layout> => {
    const files = await filesOf(git);
    if (!files) return none;
    const namedBy = namedAmong(files);
    const counts = asked.map((pattern) => ({ pattern, count: namedBy(pattern).length }));
    const isWide = (count: number) => files.length >= FEW && count > WIDE * files.length;
    const wide = counts.flatMap(({ pattern, count }) => (isWide(count) ? [pattern] : []));
    const dead = counts.flatMap(({ pattern, count }) => (count === 0 ? [pattern] : []));
    const { gone, renames } = await movedAmong(git, files, dead);
    const heirs = gone.flatMap(({ pattern, heir }): Layout['renames'] =>
      heir === undefined ? [] : [[pattern, heir]],
    );
    wide.push(...heirs.flatMap(([pattern, heir]) => (isWide(namedBy(heir).length) ? [pattern] : [])));
    return { of, wide, renames: [...heirs, ...renames].slice(0, MOST) };
  };
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, PATIENCE, undefined).unref());
  return Promise.race([work(), late]);
}

/** The names that decisions may use for a file that was moved. @param path from the top folder of the repository on */
export function formerNames(path: string, { renames }: Layout): string[] {
  const beginning = (pattern: string) => pattern.replace(/[*?[].*$/, '').replace(/\/?$/, '/');
  return renames.flatMap(([old, heir]) => {
    if (heir === path) return old;
    return path.startsWith(beginning(heir)) ? beginning(old) + path.slice(beginning(heir).length) : [];
  });
}
