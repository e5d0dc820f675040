import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { parse } from 'yaml';
import type { Facts } from '../../../domain/arrival/facts.ts';
import { PrecedentError } from '../../../domain/error.ts';
import type { Importer } from '../importer.ts';
import { hasMarkdown, markdownIn } from '../markdown-files.ts';
import { hasPermalinks, isBundle } from '../notes/marks.ts';
import { factsOf } from './facts.ts';
import { type AdrRecord, readRecord } from './record.ts';

/** Where records lie when nothing says it. */
const USUAL = ['docs/decisions', 'docs/adr', 'doc/adr', 'docs/architecture/decisions', 'adr'];
/** Files beside records that are none. */
const NO_RECORD = /^(readme|index|.*template.*)\.(md|markdown)$/i;

/** Folders of decision records: Nygard's, MADR 2 to 4, log4brains, and Precedent's own. */
export const adr: Importer = {
  name: 'adr',
  what: 'a folder of architecture decision records',
  places: ({ folder }) => foldersIn(folder).filter((each) => hasMarkdown(each)),
  // Notes may have a title and a state, too.
  isOurs: (folder) => !isBundle(folder) && !hasPermalinks(folder),
  read,
};

function read(path: string): Facts {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found?.isDirectory()) {
    const what = found ? 'a file' : 'none';
    throw new PrecedentError('not_found', `Expected a folder of decision records, found ${what} at ${path}.`);
  }
  const [named = path] = foldersIn(path);
  const folder = resolve(hasMarkdown(path) && named === path ? path : named);
  const records: AdrRecord[] = [];
  const skipped: Facts['skipped'] = [];
  for (const file of markdownIn(folder, skipped)) {
    const record = readRecord(join(folder, file), file);
    // A decision about a template is none.
    if (record && (record.own || !NO_RECORD.test(basename(file)))) records.push(record);
    else skipped.push({ what: file, why: 'no decision record' });
  }
  const root = repositoryOf(folder);
  const within = relative(root, folder).split(sep).join('/');
  const dates = new Map(
    records.map((each) => [
      each,
      each.own?.at ?? each.date ?? firstCommit(join(folder, each.file)) ?? each.changedAt,
    ]),
  );
  const facts = factsOf(
    records,
    ({ file, own }) => own?.id ?? (within === '' ? file : `${within}/${file}`),
    (record) => dates.get(record) ?? record.changedAt,
  );
  return { ...facts, skipped };
}

/** What a project says of where its records lie, else where they usually do; the folder itself when it holds them. */
function foldersIn(folder: string): string[] {
  const told = [text(join(folder, '.adr-dir'))?.trim(), log4brains(text(join(folder, '.log4brains.yml')))];
  const named = [...told, ...USUAL].filter((each): each is string => Boolean(each));
  const found = named.map((each) => join(folder, each)).filter((each) => existsSync(each));
  return found.length > 0 ? found : [folder];
}

function text(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

function log4brains(yaml: string | undefined): string | undefined {
  try {
    const { project } = (yaml === undefined ? {} : parse(yaml)) as { project?: { adrFolder?: unknown } };
    return typeof project?.adrFolder === 'string' ? project.adrFolder : undefined;
  } catch {
    return undefined;
  }
}

/** A record is known by its place in its repository, from whatever folder it is read. */
function repositoryOf(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
    if (dirname(at) === at) return folder;
  }
}

/** When a file that has no date was first committed, in milliseconds UTC. */
function firstCommit(path: string): number | undefined {
  try {
    const log = ['log', '--diff-filter=A', '--follow', '--format=%aI', '--', basename(path)];
    const first = execFileSync('git', log, {
      cwd: dirname(path),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: 5_000,
    })
      .trim()
      .split('\n')
      .at(-1);
    return Date.parse(first ?? '') || undefined;
  } catch {
    return undefined;
  }
}
