import { statSync } from 'node:fs';
import { basename, join, sep } from 'node:path';
import { parse } from 'yaml';
import type { Facts } from '../../../domain/arrival/facts.ts';
import { leadsOut, readIfOrdinary } from '../../../files/bounded.ts';
import { isTooDeep } from '../../../files/depth.ts';
import { hasMarkdown, markdownIn } from '../markdown-files.ts';
import { below } from '../walk.ts';

/** Where records lie when nothing says it. */
const USUAL = ['docs/decisions', 'docs/adr', 'doc/adr', 'docs/architecture/decisions', 'adr'];
/** How folders of records are called wherever they lie. */
const CALLED =
  /^(adrs?|decisions|(architecture|architectural|design)[-_]decisions([-_]records)?|decision[-_]records)$/i;
const LEFT_OUT = /^(\..+|node_modules|vendor|dist|build|target|test|tests|fixtures)$/i;
/** Folders above one of records that are looked into. */
const DEEP = 4;
/** Bytes of a file that names such folders. */
const SETTING = 64 * 1024;

/**
 * Where the records of a repository lie: what it says of that, else where they usually do, else folders with such a name;
 * the folder itself when it has none of these.
 * @param skipped is told of folders that lie outside
 */
export function foldersIn(folder: string, skipped: Facts['skipped'] = []): string[] {
  const told = [text(folder, '.adr-dir')?.trim(), ...log4brains(text(folder, '.log4brains.yml'))];
  // A repository may be anybody's: it names no folder outside of itself, by a path or by a link.
  const isInside = (each: string) => {
    const isOut = leadsOut(join(folder, each), folder);
    if (isOut) skipped.push({ what: each, why: 'a path out of the folder' });
    return !isOut;
  };
  const named = [...new Set(told)].flatMap((each) => (each && isInside(each) ? [join(folder, each)] : []));
  const there = [...new Set(named)].filter(isFolder);
  if (there.length > 0) return there;
  const usual = USUAL.filter((each) => isFolder(join(folder, each)) && isInside(each))
    .map((each) => join(folder, each))
    .filter(holdsSome);
  if (usual.length > 0) return usual;
  if (hasMarkdown(folder) && CALLED.test(basename(folder))) return [folder];
  const others = calledSo(folder);
  return others.length > 0 ? others : [folder];
}

/** Folders of records in a repository that keeps them elsewhere, or has several packages. */
function calledSo(folder: string): string[] {
  const folders = below(folder, (name) => LEFT_OUT.test(name), { levels: DEEP }).filter(
    ({ kind }) => kind === 'folder',
  );
  const found = folders
    .filter(({ path }) => CALLED.test(basename(path)))
    .map(({ path }) => join(folder, path));
  const outer = found.filter((each) => !found.some((other) => each.startsWith(other + sep)));
  return outer.filter(holdsSome).sort();
}

const holdsSome = (path: string) => isFolder(path) && markdownIn(path, []).length > 0;

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

function text(folder: string, name: string): string | undefined {
  return readIfOrdinary(join(folder, name), { limit: SETTING, within: folder })?.toString();
}

/** The folder of the whole, and of each package. */
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
