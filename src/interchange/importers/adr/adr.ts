import { readdirSync } from 'node:fs';
import { basename, dirname, join, posix, relative, resolve, sep } from 'node:path';
import { parse } from 'yaml';
import { append } from '../../../domain/append.ts';
import { type Facts, noFacts } from '../../../domain/import/facts.ts';
import { leadsOut, readIfOrdinary } from '../../../files/bounded.ts';
import { isTooDeep } from '../../../files/depth.ts';
import { realOrSame, repositoryAround } from '../../../files/led-out.ts';
import { statHere } from '../../../files/machines.ts';
import { askable, type GitFolder } from '../../../git/folder.ts';
import { firstCommittedAt } from '../../../git/questions.ts';
import type { Importer } from '../importer.ts';
import { markdownIn, OF_RECORDS } from '../markdown-files.ts';
import { hasPermalinks, isBundle } from '../notes/marks.ts';
import { isFolder, readText, requireFolder, type SourceText } from '../source-text.ts';
import { counted } from '../values.ts';
import { below } from '../walk.ts';
import { dateReader } from './dates.ts';
import { factsOf } from './facts.ts';
import { type AdrRecord, readRecord } from './record.ts';

/** Folders of decision records: Nygard's, MADR 2 to 4, log4brains, and Precedent's own. */
export const adr: Importer = {
  name: 'adr',
  what: 'a folder of architecture decision records',
  places: ({ folder }) => foldersIn(folder).filter((each) => each !== folder || holdsRecords(each)),
  // Notes may have a title and a state, too.
  isOurs: (folder) => !isBundle(folder) && !hasPermalinks(folder),
  read: (path) => readAll([path]),
  readAll,
};

/** Reads several folders together: records of one repository may link to each other. */
function readAll(paths: string[]): Facts {
  for (const path of paths) requireFolder(path, 'a folder of decision records');
  const skipped: Facts['skipped'] = [];
  const folders = [
    ...new Set(paths.flatMap((path) => foldersIn(path, skipped)).map((each) => resolve(each))),
  ];
  if (folders.length === 0) return { ...noFacts('adr'), skipped };
  const base = folders.reduce(above);
  const records: AdrRecord[] = [];
  for (const folder of folders) {
    const within = slashed(relative(base, folder));
    const left: Facts['skipped'] = [];
    for (const name of markdownIn(folder, left, undefined, OF_RECORDS)) {
      const file = within === '' ? name : `${within}/${name}`;
      const record = statHere(join(folder, dirname(name), 'kep.yaml'))
        ? 'a KEP: its state is in kep.yaml, which is not read'
        : readRecord(readText(join(base, file), folder), file, dirname(name));
      if (typeof record === 'string') skipped.push({ what: file, why: record });
      else records.push(record);
    }
    append(
      skipped,
      left.map(({ what, why }) => ({ what: within === '' ? what : `${within}/${what}`, why })),
    );
  }
  // The key of a record is its path in the repository, whichever folder was given.
  const within = slashed(relative(repositoryAround(base) ?? base, base));
  const firstCommit = newFirstCommit();
  const facts = factsIn(
    records,
    ({ file }) => (within === '' ? file : `${within}/${file}`),
    ({ file }) => firstCommit(join(base, file)),
  );
  return { ...facts, skipped };
}

/**
 * Decision records whose texts were read elsewhere, such as from a commit: nothing looks at a file.
 * @param texts each with its path from the top folder of the repository on, and the folder of records that it is in
 */
export function recordsAsFacts(texts: (SourceText & { path: string; folder: string })[]): Facts {
  const skipped: Facts['skipped'] = [];
  const records = texts.flatMap((each) => {
    const record = readRecord(each, each.path, dirname(posix.relative(each.folder, each.path)));
    if (typeof record !== 'string') return record;
    skipped.push({ what: each.path, why: record });
    return [];
  });
  const facts = factsIn(
    records,
    ({ file }) => file,
    () => undefined,
  );
  return { ...facts, skipped };
}

/** @param otherDate of a record that has none in it */
function factsIn(
  records: AdrRecord[],
  pathOf: (record: AdrRecord) => string,
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
  return factsOf(
    records,
    (record) => record.own?.id ?? pathOf(record),
    (record) => dates.get(record) ?? record.changedAt,
  );
}

const slashed = (path: string) => path.split(sep).join('/');

/** The deepest folder that contains both. */
function above(one: string, other: string): string {
  for (let at = one; ; at = dirname(at)) {
    if (other === at || other.startsWith(at.endsWith(sep) ? at : at + sep) || dirname(at) === at) return at;
  }
}

/**
 * The date of the first commit of a file, in milliseconds UTC. Whether git may be asked is checked once for each folder,
 * since the check looks at everything that git would read.
 */
function newFirstCommit(): (path: string) => number | undefined {
  const folders = new Map<string, GitFolder | undefined>();
  return (path) => {
    const folder = dirname(path);
    if (!folders.has(folder)) folders.set(folder, askable(folder));
    const git = folders.get(folder);
    return git && firstCommittedAt(git, slashed(relative(git.top, realOrSame(path))));
  };
}

/** Names of folders of records, anywhere in the repository. */
const CALLED =
  /^(m?adrs?|decisions|(architecture|architectural|design)[-_]decisions?|((architecture|architectural|design)[-_])?decision[-_](records?|logs?))$/i;
const LEFT_OUT = /^(\..+|node_modules|vendor|dist|build|target|test|tests|fixtures)$/i;
/** Files that are called so. */
const NUMBERED = /^m?adr[-_ ]?\d.*\.(md|markdown|rst|a(scii)?doc)$/i;
/** Folders of what was proposed, which may or may not be decided: RFCs, KEPs, PEPs. */
const PROPOSALS = /^(rfcs?|keps?|peps?|proposals|enhancements)$/i;
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

/**
 * The folders of records in a repository: those in its configuration and those with such a name, else the folder itself.
 * @param skipped receives folders outside of the repository
 */
function foldersIn(folder: string, skipped: Facts['skipped'] = []): string[] {
  // A repository may be untrusted: a path or a link must not lead out of it.
  const isInside = (each: string) => {
    const isOut = leadsOut(join(folder, each), folder);
    if (isOut) skipped.push({ what: each, why: 'a path out of the folder' });
    return !isOut;
  };
  const named = statedFolders((name) => text(folder, name))
    .filter(isInside)
    .map((each) => join(folder, each));
  if (holdsRecords(folder) && CALLED.test(basename(folder))) return [folder];
  const found = below(folder, (name) => LEFT_OUT.test(name), { levels: DEEP });
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
  const outer = outermost(all, sep);
  if (outer.length === 0 && named.length > 0)
    append(
      skipped,
      named.map((path) => ({ what: slashed(relative(folder, path)), why: 'no such folder' })),
    );
  if (outer.length === 0) return named.length > 0 ? [] : [folder];
  for (const path of outermost(
    folders.filter((each) => PROPOSALS.test(posix.basename(each))),
    '/',
  )) {
    const inside = join(resolve(folder), path);
    const count = outer.some((each) => `${inside}/`.startsWith(each + sep)) ? 0 : recordsIn(inside).length;
    if (count > 0)
      skipped.push({
        what: path,
        why: `${counted(count, 'file')} of proposals: name the folder to import them`,
      });
  }
  return outer;
}

const recordsIn = (folder: string) => markdownIn(folder, [], undefined, OF_RECORDS);

/** Whether there is one in the folder itself. */
const holdsRecords = (folder: string) =>
  isFolder(folder) && readdirSync(folder).some((each) => OF_RECORDS.test(each));

function text(folder: string, name: string): string | undefined {
  return readIfOrdinary(join(folder, name), { limit: SETTING, within: folder })?.toString();
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
