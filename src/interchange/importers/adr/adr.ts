import { readdirSync } from 'node:fs';
import { basename, dirname, join, posix, relative, resolve, sep } from 'node:path';
import { parse } from 'yaml';
import { type Facts, noFacts } from '../../../domain/import/facts.ts';
import { isInside, leadsOut, readIfOrdinary } from '../../../files/bounded.ts';
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
import { folded } from './words.ts';

/** Folders of decision records: Nygard's, MADR 2 to 4, log4brains, and Precedent's own; logs of decisions in one file. */
export const adr: Importer = {
  name: 'adr',
  what: 'architecture decision records, and logs of decisions',
  places: ({ folder }) => {
    const folders = foldersIn(resolve(folder), () => {});
    const isApart = (log: string) => !folders.some((each) => isInside(log, each));
    return [...folders, ...logsIn(resolve(folder)).filter(isApart)];
  },
  looksThrough: true,
  // Notes may have a title and a state, too.
  isOurs: (path) => !isFolder(path) || (!isBundle(path) && !hasPermalinks(path)),
  read: (path) => readAll([path]),
  readAll,
};

/** A file that is looked at. */
interface Looked {
  /** The folder that holds it, which no link may lead out of, and its name from there on. */
  folder: string;
  name: string;
  /** The reason why it is a record, or why it is left out. */
  form: Form | string;
}

/** Reads several folders together: records of one repository may link to each other. */
function readAll(paths: string[]): Facts {
  const skipped: Facts['skipped'] = [];
  for (const path of paths)
    if (!OF_RECORDS.test(path)) requireFolder(path, 'a folder of decision records or a log of decisions');
  if (paths.length === 0) return noFacts('adr');
  const whole = paths.map((each) => resolve(each));
  const base = whole.map((path) => (isFolder(path) ? path : dirname(path))).reduce(above);
  const fileOf = (folder: string, name: string) => slashed(relative(base, join(folder, name)));
  const leave: Leave = (folder, name, why) => skipped.push({ what: fileOf(folder, name), why });
  const looked = new Map<string, Looked>();
  for (const each of whole.flatMap((path) => lookedAt(path, leave))) {
    const file = fileOf(each.folder, each.name);
    if (!looked.has(file)) looked.set(file, each);
  }
  const records = [...looked].flatMap(([file, { folder, name, form }]) =>
    recordsOf(() => readText(join(folder, name), folder), file, form, skipped),
  );
  const once = withoutCopies(records, skipped);
  const { placeOf, firstCommittedAt } = placesFrom(base);
  const facts = factsIn(once, placeOf, ({ source }) => firstCommittedAt(source));
  const read = [...Map.groupBy(once, ({ source }) => source)].map(([what, of]) => ({
    what,
    becomes: counted(of.length, 'decision'),
  }));
  return { ...facts, skipped, read };
}

/** Takes down why a file is left out, by its folder and its name from there on. */
type Leave = (folder: string, name: string, why: string) => void;

/** The files to look at: one that is named; of a folder those of the records in it, and then everything else. */
function lookedAt(path: string, leave: Leave): Looked[] {
  if (!isFolder(path)) {
    const folder = dirname(path);
    return [{ folder, name: basename(path), form: unreadable(path, folder) ?? { isNamed: true } }];
  }
  const folders = foldersIn(path, leave);
  const records = folders.flatMap((folder) =>
    filesIn(folder, NEVER, OTHER, (name) => {
      const isKep = statHere(join(folder, dirname(name), 'kep.yaml')) !== undefined;
      return isKep ? KEP : { folder: dirname(name) };
    }),
  );
  if (folders.includes(path)) return records;
  const others = filesIn(path, NEVER, undefined, (name) => {
    if (folders.length > 0) return { isOutside: true };
    return COUNTED.test(name) ? { folder: dirname(name) } : { isAlone: true };
  });
  return [...records, ...others];
}

/** The files in a folder, and then those that are left out. @param leftOut names @param other why other files are left out */
function filesIn(
  folder: string,
  leftOut: RegExp | undefined,
  other: string | undefined,
  formOf: (name: string) => Form | string,
): Looked[] {
  const left: Facts['skipped'] = [];
  const names = markdownIn(folder, left, leftOut, OF_RECORDS, other);
  return [
    ...names.map((name) => ({ folder, name, form: formOf(name) })),
    ...left.map(({ what, why }) => ({ folder, name: what, form: why })),
  ];
}

/**
 * Records without entries of logs that stand in another log, or that became a record: some keep an older log beside the new one.
 * @param records those that are no entries first
 */
function withoutCopies(records: AdrRecord[], skipped: Facts['skipped']): AdrRecord[] {
  const known = new Map<string, string>();
  return records.filter(({ file, source, title, decision, date }) => {
    const isEntry = file !== source;
    const names = [title, ...(decision.length < TELLING ? [] : [decision])].map(folded);
    const own = isEntry ? [JSON.stringify([title, decision, date])] : names;
    const [first] = isEntry ? [...own, ...names].flatMap((each) => known.get(each) ?? []) : [];
    if (first !== undefined) skipped.push({ what: file, why: `the same decision as in ${first}` });
    else for (const each of own) known.set(each, source);
    return first === undefined;
  });
}

/** Characters of a decision that no other one has by chance. */
const TELLING = 40;

/** The records of a file: one, or the entries of a log. */
function recordsOf(
  read: () => SourceText,
  file: string,
  form: Form | string,
  skipped: Facts['skipped'],
): AdrRecord[] {
  const leave = (why: string, what = file) => {
    skipped.push({ what, why });
    return [];
  };
  if (typeof form === 'string') return leave(form);
  const { isNamed = false, isOutside = false, isAlone = false } = form;
  const folders = dirname(file).split('/');
  const name = posix.basename(file);
  // A numbered file is one record, whatever lists stand in its head.
  const mayBeLog = (isNamed && !COUNTED.test(name)) || isLog(withoutEnding(name, OF_RECORDS));
  if (isOutside && !mayBeLog)
    return leave(
      folders.some((each) => PROPOSALS.test(each))
        ? 'a proposal: name its folder to import it'
        : 'outside of the folders of records',
    );
  if ((isOutside || isAlone) && folders.some((each) => (mayBeLog ? BUILT : LEFT_OUT).test(each)))
    return leave('in a folder of tests, of what is built, or hidden');
  if (isOutside && folders.some((each) => TEMPLATES.test(each))) return leave('a template');
  const source = read();
  const left = mayBeLog ? unresolved(source.text) : undefined;
  if (left !== undefined) return leave(left);
  const entries = mayBeLog ? entriesOf(source.text) : [];
  if (entries.length === 0 && isOutside)
    return leave('a log of decisions without an entry that could be told');
  if (entries.length === 0) {
    const record = readRecord(source, file, form);
    return typeof record === 'string' ? leave(record) : [record];
  }
  const made = entries.flatMap(({ name, labels, number, text, quoted, isSaid, problem }) => {
    const what = `${file}#${name}`;
    const record = problem ?? readRecord({ ...source, text }, what, { entry: name, isSaid });
    return typeof record === 'string'
      ? leave(record, what)
      : { ...record, source: file, labels, number, text: quoted };
  });
  const [first = 0, ...others] = made.flatMap(({ date }) => date ?? []);
  return first > (others.at(-1) ?? first) ? made.reverse() : made;
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
    records.map((each) => {
      const committed = (each.own?.at ?? each.date) === undefined ? otherDate(each) : undefined;
      if (committed !== undefined) each.committed = committed - (committed % DAY);
      return [each, each.own?.at ?? each.date ?? committed ?? each.changedAt];
    }),
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
const KEP = 'a KEP: its state is in kep.yaml, which is not read';
const LEFT_OUT = /^(\..+|node_modules|vendor|dist|build|target|test|tests|fixtures)$/i;
/** The same of logs, which agents keep in hidden folders. */
const BUILT =
  /^(\.(?:git|venv|cache|worktrees)|worktrees|node_modules|vendor|dist|build|target|tests?|fixtures)$/i;
const TEMPLATES = /^[._]*templates?$/i;
/** Names of logs that lie deeper than two folders only where they are those of one task. */
const OF_TASK = /(?:^|\/)(?:[^/]+\/){3,}adrs?\.\w+$/i;
const DAY = 86_400_000;
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

/** The folders of records in a repository: those in its configuration and those with such a name. */
function foldersIn(folder: string, leave: Leave): string[] {
  // A repository may be untrusted: a path or a link must not lead out of it.
  const isInside = (each: string) => {
    const isOut = leadsOut(join(folder, each), folder);
    if (isOut) leave(folder, each, 'a path out of the folder');
    return !isOut;
  };
  const own = isFolder(folder) ? readdirSync(folder).filter((each) => OF_RECORDS.test(each)) : [];
  if (own.filter((each) => COUNTED.test(each)).length > 1) return [folder];
  const named = statedFolders((name) => text(folder, name)).filter(isInside);
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
  ].map((path) => join(folder, path));
  const stated = named.map((each) => join(folder, each)).filter(isFolder);
  const holding = called.filter((each) => recordsIn(each).length > 0).sort();
  const all = [...new Set([...stated, ...holding].map((each) => resolve(each)))];
  if (all.length > 0) return outermost(all, sep);
  for (const each of named) if (!isFolder(join(folder, each))) leave(folder, each, 'no such folder');
  // A repository may be called as a folder of records is.
  const isNamed = [CALLED, PROPOSALS].some((names) => names.test(basename(folder)));
  return isNamed && recordsIn(folder).length > 0 ? [folder] : [];
}

/** The logs of decisions in a folder. */
const logsIn = (folder: string): string[] =>
  below(folder, (each) => BUILT.test(each) || TEMPLATES.test(each), { levels: DEEP })
    .flatMap(({ kind, path }) => {
      const isCalled = OF_RECORDS.test(path) && isLog(withoutEnding(posix.basename(path), OF_RECORDS));
      return kind === 'file' && isCalled && !OF_TASK.test(path) ? join(folder, path) : [];
    })
    .sort();

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
