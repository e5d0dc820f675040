import { join } from 'node:path';
import { heirOfPattern, namedAmong } from '../domain/place-match.ts';
import { statHere } from '../files/machines.ts';
import type { GitFolder } from './folder.ts';
import { heirsOf, removalsIn } from './renames.ts';

/** Files that a pattern named, whose names of today are looked for. */
const MOST = 50;

/** Patterns and names of files that a repository has no more. */
interface MovedFiles {
  /** The patterns that named files which are gone; what names the same files now, where git has renamed them. */
  gone: { pattern: string; heir: string | undefined }[];
  /** The names of files then and now. */
  renames: [old: string, heir: string][];
}

/**
 * Follows the files of patterns that name none (F-3). A pattern that never named any waits for its files, and is left out.
 * @param present the files of the repository
 */
export async function movedAmong(git: GitFolder, present: string[], patterns: string[]): Promise<MovedFiles> {
  const removals = patterns.length > 0 && (await removalsIn(git));
  if (!removals) return { gone: [], renames: [] };
  const removedBy = namedAmong(removals.flatMap(({ files }) => files));
  const named = patterns.flatMap((pattern) => {
    const files = removedBy(pattern).slice(0, MOST);
    // A file that is there again may not be committed yet.
    return files.length === 0 || statHere(join(git.top, pattern), git.top) ? [] : [{ pattern, files }];
  });
  const files = [...new Set(named.flatMap((each) => each.files))];
  const heirs = await heirsOf(git, new Set(present), removals, files);
  return {
    gone: named.map(({ pattern, files }) => ({
      pattern,
      heir: heirOfPattern(
        pattern,
        files.map((file): [string, string] => [file, heirs.get(file) ?? '']),
      ),
    })),
    renames: [...heirs],
  };
}
