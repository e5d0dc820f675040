import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { parse } from 'yaml';
import type { Facts } from '../../../domain/arrival/facts.ts';
import { PrecedentError } from '../../../domain/error.ts';
import type { Importer } from '../importer.ts';
import { unreadable } from '../source-text.ts';
import { factsOf } from './facts.ts';
import { type AdrRecord, readRecord } from './record.ts';

/** Where records lie when nothing says it. */
const USUAL = ['docs/decisions', 'docs/adr', 'doc/adr', 'docs/architecture/decisions', 'adr'];
/** Files beside records that are none. */
const NO_RECORD = /^(readme|index|.*template.*)\.md$/i;

/** Folders of decision records: Nygard's, MADR 2 to 4, log4brains, and Precedent's own. */
export const adr: Importer = {
  name: 'adr',
  what: 'a folder of architecture decision records',
  places: ({ folder }) => foldersIn(folder).filter((each) => globSync(join(each, '*.md')).length > 0),
  read,
};

function read(path: string): Facts {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found?.isDirectory()) {
    throw new PrecedentError('not_found', `Expected a folder of decision records, found none at ${path}.`);
  }
  const [named = path] = foldersIn(path);
  const folder = resolve(globSync(join(path, '*.md')).length > 0 && named === path ? path : named);
  const files = globSync('**/*.md', { cwd: folder })
    .map((file) => file.split(sep).join('/'))
    .sort();
  const records: AdrRecord[] = [];
  const skipped: Facts['skipped'] = [];
  for (const file of files) {
    const why = unreadable(join(folder, file));
    if (why !== undefined) {
      if (why !== 'a folder') skipped.push({ what: file, why });
      continue;
    }
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
