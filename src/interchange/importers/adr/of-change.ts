import type { Facts } from '../../../domain/import/facts.ts';
import { type Change, contentsOf, filesAt, foldersAt } from '../../../git/change.ts';
import type { GitFolder } from '../../../git/folder.ts';
import { OF_RECORDS } from '../markdown-files.ts';
import { asSourceText } from '../source-text.ts';
import { recordFoldersAmong, recordsAsFacts, SETTINGS } from './adr.ts';

/**
 * The decision records of a repository as they are before a change, and after it (F-5). Both are read from git's store, in the
 * folders that held records before: the change says nothing of where they are.
 * @returns `before` is what binds
 * @throws PrecedentError `unavailable` where git does not say
 */
export async function recordsOfChange(
  git: GitFolder,
  { base, files, since }: Change,
): Promise<{ before: Facts; after: Facts }> {
  const settings = await contentsOf(
    git,
    SETTINGS.map((name) => `${base}:${name}`),
  );
  const folders = recordFoldersAmong(await foldersAt(git, base), (name) =>
    settings[SETTINGS.indexOf(name)]?.toString(),
  );
  const folderOf = (path: string) => folders.find((each) => path.startsWith(`${each}/`));
  const isRecord = (path: string) => OF_RECORDS.test(path) && folderOf(path) !== undefined;
  const before = (await filesAt(git, base, folders)).filter(({ path }) => isRecord(path));
  const touched = files.filter(({ path }) => isRecord(path));
  const changed = touched.flatMap(({ path, after: id }) => (id ? { path, id } : []));
  const isTouched = new Set(touched.map(({ path }) => path));
  const after = [...before.filter(({ path }) => !isTouched.has(path)), ...changed];
  const contents = await contentsOf(
    git,
    [...before, ...changed].map(({ id }) => id),
  );
  const texts = new Map([...before, ...changed].map(({ id }, index) => [id, contents[index]]));
  const factsOf = (records: typeof before) =>
    recordsAsFacts(
      records.flatMap(({ path, id }) => {
        const bytes = texts.get(id);
        // One without a date is as old as what the change starts from: git is not asked for each.
        return bytes ? { ...asSourceText(bytes, since), path, folder: folderOf(path) ?? '' } : [];
      }),
    );
  const facts = factsOf(before);
  // Few changes have a record, and reading them takes most of the time.
  return { before: facts, after: touched.length > 0 ? factsOf(after) : facts };
}
