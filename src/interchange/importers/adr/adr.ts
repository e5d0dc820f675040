import { statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { append } from '../../../domain/append.ts';
import type { Facts } from '../../../domain/arrival/facts.ts';
import { PrecedentError } from '../../../domain/error.ts';
import { repositoryAround } from '../../../files/led-out.ts';
import { askable, type GitFolder, realOrSame } from '../../../git/folder.ts';
import { firstCommittedAt } from '../../../git/questions.ts';
import type { Importer } from '../importer.ts';
import { hasMarkdown, markdownIn } from '../markdown-files.ts';
import { hasPermalinks, isBundle } from '../notes/marks.ts';
import { factsOf } from './facts.ts';
import { foldersIn } from './folders.ts';
import { type AdrRecord, readRecord } from './record.ts';

/** Files beside records that are none; those of agents may list decisions. */
const NO_RECORD = /^(claude(\.local)?|agents|gemini|readme|index|indice|toc|목차|glossary)$/i;
/** How templates are called: a word for them, and others that are in the names of such files. */
const TEMPLATE =
  /template|plantilla|vorlage|mod[eè]le|modelo|szablon|템플릿|양식|서식|テンプレート|雛形|模板/iu;
const OF_TEMPLATES =
  /^(?:adr|madr|nygard|decision|record|architecture|minimal|bare|short|long|full|example|simple|basic|de|del|the|file|결정|기록|[-_. 0])*$/iu;

/** Folders of decision records: Nygard's, MADR 2 to 4, log4brains, and Precedent's own. */
export const adr: Importer = {
  name: 'adr',
  what: 'a folder of architecture decision records',
  places: ({ folder }) => foldersIn(folder).filter((each) => each !== folder || hasMarkdown(each)),
  // Notes may have a title and a state, too.
  isOurs: (folder) => !isBundle(folder) && !hasPermalinks(folder),
  read: (path) => readAll([path]),
  readAll,
};

/** Records of several packages are of one repository, and may speak of each other. */
function readAll(paths: string[]): Facts {
  for (const path of paths) {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found?.isDirectory()) continue;
    const what = found ? 'a file' : 'none';
    throw new PrecedentError('not_found', `Expected a folder of decision records, found ${what} at ${path}.`);
  }
  const skipped: Facts['skipped'] = [];
  const folders = [
    ...new Set(paths.flatMap((path) => foldersIn(path, skipped)).map((each) => resolve(each))),
  ];
  const base = folders.reduce(above);
  const records: AdrRecord[] = [];
  for (const folder of folders) {
    const within = slashed(relative(base, folder));
    const left: Facts['skipped'] = [];
    for (const name of markdownIn(folder, left)) {
      const file = within === '' ? name : `${within}/${name}`;
      const record = readRecord(join(base, file), file, folder);
      if (record && (record.own || !isAside(record.stem))) records.push(record);
      else skipped.push({ what: file, why: 'no decision record' });
    }
    append(
      skipped,
      left.map(({ what, why }) => ({ what: within === '' ? what : `${within}/${what}`, why })),
    );
  }
  // A record is known by its place in its repository, from whatever folder it is read.
  const within = slashed(relative(repositoryAround(base) ?? base, base));
  const firstCommit = newFirstCommit();
  const dates = new Map(
    records.map((each) => [
      each,
      each.own?.at ?? each.date ?? firstCommit(join(base, each.file)) ?? each.changedAt,
    ]),
  );
  const facts = factsOf(
    records,
    ({ file, own }) => own?.id ?? (within === '' ? file : `${within}/${file}`),
    (record) => dates.get(record) ?? record.changedAt,
  );
  return { ...facts, skipped };
}

const slashed = (path: string) => path.split(sep).join('/');

/** The deepest folder that holds both. */
function above(one: string, other: string): string {
  for (let at = one; ; at = dirname(at)) {
    if (other === at || other.startsWith(at.endsWith(sep) ? at : at + sep) || dirname(at) === at) return at;
  }
}

/** Whether a file is an index or a template by its name; one that has a number decides something about templates. */
function isAside(stem: string): boolean {
  return NO_RECORD.test(stem) || (TEMPLATE.test(stem) && OF_TEMPLATES.test(stem.replace(TEMPLATE, '')));
}

/**
 * When a file that has no date was first committed, in milliseconds UTC. Whether git may be asked is found out once a
 * folder: that looks at all that git would read.
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
