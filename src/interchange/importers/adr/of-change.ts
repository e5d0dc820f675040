import { append } from '../../../domain/append.ts';
import { idsOf } from '../../../domain/id.ts';
import type { Facts } from '../../../domain/import/facts.ts';
import { type Blob, type Change, contentsOf, filesAt, foldersAt } from '../../../git/change.ts';
import type { GitFolder } from '../../../git/folder.ts';
import { OF_RECORDS } from '../markdown-files.ts';
import { asSourceText, type SourceText, textIn } from '../source-text.ts';
import { recordFoldersAmong, recordsAsFacts, SETTINGS } from './adr.ts';

/** Bytes that are read of the records of a change, with what each takes besides its text (Z-15). */
const MOST = 2 * 1024 * 1024;
const AROUND = 4 * 1024;
/** Records that are named as left out. */
const SAID = 20;
const TOO_LARGE = 'larger than 1 MB, or among more records of the change than are read, 2 MB in all';

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
  const settings = new Map<string, string>();
  const names = SETTINGS.map((each) => `${base}:${each}`);
  for await (const [name, bytes] of contentsOf(git, names)) settings.set(name, textIn(bytes));
  const folders = recordFoldersAmong(await foldersAt(git, base), (name) => settings.get(`${base}:${name}`));
  const folderOf = (path: string) => folders.find((each) => path.startsWith(`${each}/`));
  const isRecord = (path: string) => OF_RECORDS.test(path) && folderOf(path) !== undefined;
  const before = (await filesAt(git, base, folders)).filter(({ path }) => isRecord(path));
  const touched = files.filter(({ path }) => isRecord(path));
  const changed = touched.flatMap(({ path, after: id }) => (id ? { path, id } : []));
  const isTouched = new Set(touched.map(({ path }) => path));
  const after = [...before.filter(({ path }) => !isTouched.has(path)), ...changed];
  const texts = new Map<string, SourceText>();
  const read = async (records: Blob[], most = Number.POSITIVE_INFINITY) => {
    let spent = 0;
    for await (const [id, bytes] of contentsOf(git, idsOf(records))) {
      spent += bytes.length + AROUND;
      if (spent > most) return;
      // One without a date is as old as what the change starts from: git is not asked for each.
      texts.set(id, asSourceText(bytes, since));
    }
  };
  await read(before);
  const added = changed.filter(({ id }) => !texts.has(id));
  await read(added, MOST);
  const factsOf = (records: Blob[]) =>
    recordsAsFacts(
      records.flatMap(({ path, id }) => {
        const text = texts.get(id);
        return text ? { ...text, path, folder: folderOf(path) ?? '' } : [];
      }),
    );
  const unread = [...before, ...changed].filter(({ id }) => !texts.has(id));
  const skipped = unread.slice(0, SAID).map(({ path }) => ({ what: path, why: TOO_LARGE }));
  if (unread.length > SAID) skipped.push({ what: `${unread.length - SAID} more records`, why: TOO_LARGE });
  const facts = factsOf(before);
  append(facts.skipped, skipped);
  // Few changes have a record, and reading them takes most of the time.
  return { before: facts, after: touched.length > 0 ? factsOf(after) : facts };
}
