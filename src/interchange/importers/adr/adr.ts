import { readdirSync } from 'node:fs';
import { basename, dirname, join, posix, relative, resolve, sep } from 'node:path';
import { parse } from 'yaml';
import { append } from '../../../domain/append.ts';
import { type Facts, noFacts } from '../../../domain/import/facts.ts';
import { leadsOut, readIfOrdinary } from '../../../files/bounded.ts';
import { isTooDeep } from '../../../files/depth.ts';
import { statHere } from '../../../files/machines.ts';
import type { Importer } from '../importer.ts';
import { unresolved } from '../markdown.ts';
import { markdownIn, OF_RECORDS, withoutEnding } from '../markdown-files.ts';
import { hasPermalinks, isBundle } from '../notes/marks.ts';
import { isFolder, readText, requireFolder, type SourceText, textIn, unreadable } from '../source-text.ts';
import { counted } from '../values.ts';
import { below } from '../walk.ts';
import { dateReader } from './dates.ts';
import { factsOf } from './facts.ts';
import { entriesOf, isLog } from './log.ts';
import { CALLED, type Place, PROPOSALS, placesFrom, slashed } from './places.ts';
import { type AdrRecord, type Form, readRecord } from './record.ts';

/** Folders of decision records: Nygard's, MADR 2 to 4, log4brains, and Precedent's own; logs of decisions in one file. */
export const adr: Importer = {
  name: 'adr',
  what: 'architecture decision records, and logs of decisions',
  places: ({ folder }) => foldersIn(folder).map((each) => each.path),
  // Notes may have a title and a state, too.
  isOurs: (path) => !isFolder(path) || (!isBundle(path) && !hasPermalinks(path)),
  read: (path) => readAll([path]),
  readAll,
};

/** Files that are looked at: in a folder of records, or by themselves. */
interface Looked {
  path: string;
  kind: 'records' | 'repository' | 'file';
}

/** Reads several folders together: records of one repository may link to each other. */
function readAll(paths: string[]): Facts {
  const skipped: Facts['skipped'] = [];
  const looked = paths.flatMap((path): Looked[] => {
    if (!OF_RECORDS.test(path) || isFolder(path))
      requireFolder(path, 'a folder of decision records or a log of decisions');
    return isFolder(path) ? lookedAt(path, skipped) : [{ path: resolve(path), kind: 'file' }];
  });
  if (looked.length === 0) return { ...noFacts('adr'), skipped };
  const folders = looked.map(({ path, kind }) => (kind === 'file' ? dirname(path) : path));
  const base = folders.reduce(above);
  const records: AdrRecord[] = [];
  const seen = new Set<string>();
  const take = (folder: string, name: string, form: Form | 'outside' | 'named') => {
    const file = slashed(relative(base, join(folder, name)));
    if (seen.has(file)) return;
    seen.add(file);
    append(
      records,
      recordsOf(() => readText(join(folder, name), folder), file, form, skipped),
    );
  };
  // Folders of records first: what else is in the repository is what they have not.
  for (const [at, { path, kind }] of looked.entries()) {
    const folder = folders[at] as string;
    if (kind === 'file') {
      const why = unreadable(path, folder);
      if (why === undefined) take(folder, basename(path), 'named');
      else skipped.push({ what: basename(path), why });
    } else {
      const left: Facts['skipped'] = [];
      const isElsewhere = looked.length > 1;
      const names =
        kind === 'repository'
          ? markdownIn(folder, left, NEVER, OF_RECORDS)
          : markdownIn(folder, left, undefined, OF_RECORDS, OTHER);
      for (const name of names) {
        const isKep = statHere(join(folder, dirname(name), 'kep.yaml')) !== undefined;
        if (kind === 'records' && isKep)
          skipped.push({
            what: within(base, folder, name),
            why: 'a KEP: its state is in kep.yaml, which is not read',
          });
        else if (kind === 'records' || (!isElsewhere && COUNTED.test(name)))
          take(folder, name, { folder: dirname(name) });
        else take(folder, name, isElsewhere ? 'outside' : 'alone');
      }
      append(
        skipped,
        left.map(({ what, why }) => ({ what: within(base, folder, what), why })),
      );
    }
  }
  const once = withoutCopies(records, skipped);
  const { placeOf, firstCommittedAt } = placesFrom(base);
  const facts = factsIn(once, placeOf, ({ source }) => firstCommittedAt(source));
  const read = [...Map.groupBy(once, ({ source }) => source)].map(([what, of]) => ({
    what,
    becomes: counted(of.length, 'decision'),
  }));
  return { ...facts, skipped, read };
}

/** Records without entries of logs that stand in another log, too: some keep an older log beside the new one. */
function withoutCopies(records: AdrRecord[], skipped: Facts['skipped']): AdrRecord[] {
  const known = new Map<string, string>();
  return records.filter(({ file, source, title, decision, date }) => {
    const same = JSON.stringify([title, decision, date]);
    const first = file === source ? undefined : known.get(same);
    if (file !== source && first === undefined) known.set(same, source);
    if (first !== undefined) skipped.push({ what: file, why: `the same entry as in ${first}` });
    return first === undefined;
  });
}

const within = (base: string, folder: string, name: string) => slashed(relative(base, join(folder, name)));

/** The records of a file: one, or the entries of a log. */
function recordsOf(
  read: () => SourceText,
  file: string,
  form: Form | 'outside' | 'named',
  skipped: Facts['skipped'],
): AdrRecord[] {
  const leave = (why: string, what = file) => {
    skipped.push({ what, why });
    return [];
  };
  const folder = dirname(file);
  const stem = withoutEnding(posix.basename(file), OF_RECORDS);
  const isProposal = folder.split('/').some((each) => PROPOSALS.test(each));
  if (form === 'outside' && !isLog(stem))
    return leave(
      isProposal ? 'a proposal: name its folder to import it' : 'outside of the folders of records',
    );
  if (form !== 'named' && folder.split('/').some((each) => LEFT_OUT.test(each)) && typeof form === 'string')
    return leave('in a folder of tests, of what is built, or hidden');
  const source = read();
  const mayBeLog = form === 'named' || isLog(stem);
  const entries = mayBeLog ? entriesOf(source.text) : [];
  const left = mayBeLog ? unresolved(source.text) : undefined;
  if (left !== undefined) return leave(left);
  if (entries.length === 0) {
    if (form === 'outside') return leave('a log of decisions without an entry that could be told');
    const record = readRecord(source, file, form === 'named' ? { folder: '.' } : form);
    return typeof record === 'string' ? leave(record) : [record];
  }
  return entries.flatMap(({ name, text, quoted, isSaid, problem }) => {
    const what = `${file}#${name}`;
    const record = problem ?? readRecord({ ...source, text }, what, { entry: name, isSaid });
    if (typeof record === 'string') return leave(record, what);
    return [{ ...record, source: file, text: quoted }];
  });
}

/**
 * Decision records whose texts were read elsewhere, such as from a commit: nothing looks at a file.
 * @param texts each with its path from the top folder of the repository on, and the folder of records that it is in
 */
export function recordsAsFacts(texts: (SourceText & { path: string; folder: string })[]): Facts {
  const skipped: Facts['skipped'] = [];
  const records = texts.flatMap((each) => {
    const record = readRecord(each, each.path, {
      folder: dirname(posix.relative(each.folder, each.path)),
    });
    if (typeof record !== 'string') return record;
    skipped.push({ what: each.path, why: record });
    return [];
  });
  const facts = factsIn(
    records,
    ({ file }) => ({ path: file }),
    () => undefined,
  );
  return { ...facts, skipped };
}

/** @param otherDate of a record that has none in it */
function factsIn(
  records: AdrRecord[],
  placeOf: (record: AdrRecord) => Place,
  otherDate: (record: AdrRecord) => number | undefined,
): Facts {
  const dateAs = dateReader(records.flatMap(({ unread }) => unread ?? []));
  for (const record of records) {
    if (record.unread === undefined) continue;
    const date = dateAs(record.unread);
    if (date === undefined) record.warnings.push(`its date "${record.unread}" is no ISO date`);
    else record.date = date;
  }
  const dates = new Map(
    records.map((each) => [each, each.own?.at ?? each.date ?? otherDate(each) ?? each.changedAt]),
  );
  return factsOf(records, placeOf, (record) => dates.get(record) ?? record.changedAt);
}

/** The deepest folder that contains both. */
function above(one: string, other: string): string {
  for (let at = one; ; at = dirname(at)) {
    if (other === at || other.startsWith(at.endsWith(sep) ? at : at + sep) || dirname(at) === at) return at;
  }
}

/** Why a file in a folder of records is none. */
const OTHER = 'neither Markdown, reStructuredText nor AsciiDoc';
const LEFT_OUT = /^(\..+|node_modules|vendor|dist|build|target|test|tests|fixtures)$/i;
/** Files that are called so. */
const NUMBERED = /^m?adr[-_ ]?\d.*\.(md|markdown|rst|a(scii)?doc)$/i;
/** Levels of folders that are searched for them. */
const DEEP = 6;
/** The files that name such folders. */
export const SETTINGS = ['.adr-dir', '.log4brains.yml'] as const;
/** The maximum size of such a file. */
const SETTING = 64 * 1024;

/** Whether a folder of a repository is called as folders of records are. @param path from its top folder on, with `/` */
function isCalledSo(path: string): boolean {
  const names = path.split('/');
  return (
    CALLED.test(names.at(-1) ?? '') && names.length <= DEEP && !names.some((each) => LEFT_OUT.test(each))
  );
}

/** The folders that the configuration of a repository names, as they are written there. @param read a file of its top folder */
function statedFolders(read: (name: (typeof SETTINGS)[number]) => string | undefined): string[] {
  const [dir, yaml] = SETTINGS;
  return [...new Set([read(dir)?.trim(), ...log4brains(read(yaml))])].filter(
    (each) => each !== undefined && each !== '',
  ) as string[];
}

/** The folders that are not in another one. */
const outermost = (all: string[], mark: string): string[] =>
  all.filter((each) => !all.some((other) => each.startsWith(other + mark)));

/**
 * The folders of records among all folders of a repository, as {@link foldersIn} finds them on the disk.
 * @param folders from its top folder on, with `/`
 */
export function recordFoldersAmong(
  folders: string[],
  read: (name: (typeof SETTINGS)[number]) => string | undefined,
): string[] {
  const stated = new Set(statedFolders(read).map((each) => posix.join('/', each, '/').slice(1, -1)));
  return outermost(
    folders.filter((each) => stated.has(each) || isCalledSo(each)),
    '/',
  );
}

/** Folders that hold no text of a person. */
const NEVER = /^(?:\.git|node_modules)$/;
/** Files that are numbered as records are. */
const COUNTED = /^(?:m?adr[-_ ]?)?\d{3,4}[-_ ](?!\d)/i;

/**
 * The files to look at in a named folder: the folders of records in it, and everything else.
 * @param skipped receives folders outside of the repository
 */
function lookedAt(folder: string, skipped: Facts['skipped']): Looked[] {
  const records = foldersIn(folder, skipped);
  if (records.some(({ path }) => path === resolve(folder))) return records;
  return [...records, { path: resolve(folder), kind: 'repository' }];
}

/** The folders of records in a repository: those in its configuration and those with such a name. */
function foldersIn(folder: string, skipped: Facts['skipped'] = []): Looked[] {
  // A repository may be untrusted: a path or a link must not lead out of it.
  const isInside = (each: string) => {
    const isOut = leadsOut(join(folder, each), folder);
    if (isOut) skipped.push({ what: each, why: 'a path out of the folder' });
    return !isOut;
  };
  const named = statedFolders((name) => text(folder, name))
    .filter(isInside)
    .map((each) => join(folder, each));
  const name = basename(resolve(folder));
  const isNamed = CALLED.test(name) || PROPOSALS.test(name);
  const own = isFolder(folder) ? readdirSync(folder).filter((each) => OF_RECORDS.test(each)) : [];
  const itself: Looked[] = [{ path: resolve(folder), kind: 'records' }];
  if (own.filter((each) => COUNTED.test(each)).length > 1) return itself;
  const found = below(folder, (each) => LEFT_OUT.test(each), { levels: DEEP });
  const folders = found.flatMap(({ kind, path }) => (kind === 'folder' ? path : []));
  const numbered = Map.groupBy(
    found.filter(({ path }) => path.includes('/') && NUMBERED.test(posix.basename(path))),
    ({ path }) => dirname(path),
  );
  // Also of several packages, and where only the files are called so.
  const called = [
    ...folders.filter(isCalledSo),
    ...[...numbered].flatMap(([path, files]) => (files.length > 1 ? path : [])),
  ];
  const holding = called.map((path) => join(folder, path)).filter((each) => recordsIn(each).length > 0);
  const all = [...new Set([...named.filter(isFolder), ...holding.sort()].map((each) => resolve(each)))];
  for (const path of named.filter((each) => !isFolder(each)))
    if (all.length === 0) skipped.push({ what: slashed(relative(folder, path)), why: 'no such folder' });
  // A repository may be called as a folder of records is.
  if (all.length === 0 && isNamed && recordsIn(folder).length > 0) return itself;
  return outermost(all, sep).map((path) => ({ path, kind: 'records' }));
}

const recordsIn = (folder: string) => markdownIn(folder, [], undefined, OF_RECORDS);

function text(folder: string, name: string): string | undefined {
  const bytes = readIfOrdinary(join(folder, name), { limit: SETTING, within: folder });
  return bytes && textIn(bytes);
}

/** The folder of the repository, and of each package. */
function log4brains(yaml: string | undefined): string[] {
  try {
    const { project } = (yaml === undefined || isTooDeep(yaml, 'yaml') ? {} : parse(yaml)) as {
      project?: { adrFolder?: unknown; packages?: { adrFolder?: unknown }[] };
    };
    const all = [project, ...(project?.packages ?? [])];
    return all.map((each) => each?.adrFolder).filter((each) => typeof each === 'string');
  } catch {
    return [];
  }
}
