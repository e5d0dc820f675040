import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { basename, join, sep } from 'node:path';
import { parse } from 'yaml';
import { hasMarkdown, markdownIn } from '../markdown-files.ts';

/** Where records lie when nothing says it. */
const USUAL = ['docs/decisions', 'docs/adr', 'doc/adr', 'docs/architecture/decisions', 'adr'];
/** How folders of records are called wherever they lie. */
const CALLED =
  /^(adrs?|decisions|(architecture|architectural|design)[-_]decisions([-_]records)?|decision[-_]records)$/i;
const LEFT_OUT = /^(\..+|node_modules|vendor|dist|build|target|test|tests|fixtures)$/i;
/** Folders above one of records that are looked into. */
const DEEP = 4;

/**
 * Where the records of a repository lie: what it says of that, else where they usually do, else folders with such a name;
 * the folder itself when it has none of these.
 */
export function foldersIn(folder: string): string[] {
  const told = [text(join(folder, '.adr-dir'))?.trim(), ...log4brains(text(join(folder, '.log4brains.yml')))];
  const named = told.flatMap((each) => (each ? [join(folder, each)] : []));
  const there = [...new Set(named)].filter(isFolder);
  if (there.length > 0) return there;
  const usual = USUAL.map((each) => join(folder, each)).filter(holdsSome);
  if (usual.length > 0) return usual;
  if (hasMarkdown(folder) && CALLED.test(basename(folder))) return [folder];
  const others = calledSo(folder);
  return others.length > 0 ? others : [folder];
}

/** Folders of records in a repository that keeps them elsewhere, or has several packages. */
function calledSo(folder: string): string[] {
  const exclude = (name: string) => LEFT_OUT.test(basename(name));
  const patterns = Array.from({ length: DEEP }, (_, deep) => `${'*/'.repeat(deep)}*`);
  const names = patterns.flatMap((pattern) => globSync(pattern, { cwd: folder, exclude }));
  const found = names.filter((name) => CALLED.test(basename(name))).map((name) => join(folder, name));
  const outer = found.filter((each) => !found.some((other) => each.startsWith(other + sep)));
  return outer.filter(holdsSome).sort();
}

const holdsSome = (path: string) => isFolder(path) && markdownIn(path, []).length > 0;

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

function text(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

/** The folder of the whole, and of each package. */
function log4brains(yaml: string | undefined): string[] {
  try {
    const { project } = (yaml === undefined ? {} : parse(yaml)) as {
      project?: { adrFolder?: unknown; packages?: { adrFolder?: unknown }[] };
    };
    const all = [project, ...(project?.packages ?? [])];
    return all.map((each) => each?.adrFolder).filter((each) => typeof each === 'string');
  } catch {
    return [];
  }
}
