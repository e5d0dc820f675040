import { existsSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { append } from '../../../domain/append.ts';
import { PrecedentError } from '../../../domain/error.ts';
import type { Facts } from '../../../domain/import/facts.ts';
import { warnBroken } from '../broken.ts';
import type { Importer, Machine } from '../importer.ts';
import { readDatabase } from '../source-database.ts';
import { beginsAsJson, readText, requireBelow } from '../source-text.ts';
import { counted, isObject, parsedOf } from '../values.ts';
import { requireDatabaseOf } from '../whose.ts';
import { factsOf, type Mem0Rows } from './read.ts';

const NAME = 'mem0';
/** mem0 keeps memories and what became of them in two files. */
const FILES = ['vector_store.db', 'history.db', 'memory.db'];
const TABLES = ['vectors', 'memory_history', 'history'];
/** Under which names answers of its service and scripts have their list. */
const LISTS = ['results', 'memories'];

/** mem0: its files of SQLite (TypeScript and Python), or what its service answers. */
export const mem0: Importer = {
  name: NAME,
  what: 'the files of mem0 (vector_store.db, history.db), or what its get_all answers',
  places,
  read: (path) => readAll([path]),
  readAll,
};

/** The library for TypeScript writes its history into the working folder, where any other program may have a file of this name. */
function places({ home, env, folder }: Machine): string[] {
  const usual = env.MEM0_DIR ?? join(home, '.mem0');
  const inFolder = ['vector_store.db', 'memory.db'].map((name) => join(folder, name)).filter(isOurs);
  return [...(filesIn(usual).length > 0 ? [usual] : []), ...inFolder];
}

function readAll(paths: string[]): Facts {
  const rows: Mem0Rows = { memories: [], history: [], changedAt: 0 };
  const skipped: Facts['skipped'] = [];
  const found = paths.flatMap((each) =>
    withItsOthers(each, skipped).map((path) => requireBelow(path, path === each ? each : folderOf(each))),
  );
  for (const path of new Set(found)) {
    rows.changedAt = Math.max(
      rows.changedAt,
      Math.floor(statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0),
    );
    if (beginsAsJson(path)) append(rows.memories, ofExport(path));
    else readFile(path, rows, skipped);
  }
  const facts = factsOf(rows);
  append(facts.skipped, skipped);
  warnBroken(facts);
  return facts;
}

function readFile(path: string, rows: Mem0Rows, skipped: Facts['skipped']): void {
  readDatabase(path, (database) => {
    requireDatabaseOf(NAME, database);
    for (const { id, payload } of database.rows('vectors', 'rowid')) rows.memories.push({ id, payload });
    append(rows.history, database.rows('memory_history', 'rowid'));
    append(rows.history, database.rows('history', 'rowid'));
    for (const { what, count } of database.others(TABLES))
      skipped.push({ what: `${counted(count, 'row')} of ${what}`, why: 'no memories' });
  });
}

/** A folder means its files of mem0, and a file has the others next to it. */
function withItsOthers(path: string, skipped: Facts['skipped']): string[] {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
    const others = FILES.includes(basename(path)) ? filesIn(dirname(path)) : [];
    return [path, ...others.filter((each) => each !== path && isOurs(each))];
  }
  const [ours, theirs] = [filesIn(path).filter(isOurs), filesIn(path).filter((each) => !isOurs(each))];
  for (const each of theirs) skipped.push({ what: basename(each), why: 'not of mem0, or damaged' });
  if (ours.length > 0) return ours;
  throw new PrecedentError(
    'not_found',
    `Expected a folder with ${FILES.join(' or ')} of mem0, found none at ${path}.`,
  );
}

/** The folder that was handed over, or that of a file. */
const folderOf = (path: string) =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() ? path : dirname(path);

const filesIn = (folder: string) =>
  FILES.map((name) => join(folder, name)).filter((each) => existsSync(each));

function isOurs(path: string): boolean {
  try {
    return (
      existsSync(path) && readDatabase(path, (database) => requireDatabaseOf(NAME, database)) === undefined
    );
  } catch {
    return false;
  }
}

function ofExport(path: string): Record<string, unknown>[] {
  const value = parsedOf(readText(path).text);
  const list = Array.isArray(value)
    ? value
    : isObject(value) && LISTS.map((name) => value[name]).find((each) => Array.isArray(each));
  const rows = Array.isArray(list) ? list.filter(isObject) : [];
  const isOurs = Array.isArray(list) && rows.every((row) => 'memory' in row || 'data' in row);
  if (isOurs && rows.length === list.length) return rows;
  throw new PrecedentError(
    'invalid',
    `Expected the files of mem0 or a list of its memories as JSON, found another file at ${path}. Nothing was imported.`,
  );
}
