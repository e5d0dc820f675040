import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { PrecedentError } from '../../../domain/error.ts';
import { readDatabase, type SourceRow } from '../source-database.ts';
import { beginsAsJson, readText, requireBelow } from '../source-text.ts';
import { isObject, parsedOf } from '../values.ts';
import { requireDatabaseOf } from '../whose.ts';
import { chunksIn, replayed } from './chunks.ts';

/** What Hoofy and engram keep, whatever it is read from. */
export interface EngramRows {
  sessions: SourceRow[];
  observations: SourceRow[];
  prompts: SourceRow[];
  /** Between observations by their numbers (Hoofy), and by their ids (engram from 1.15 on). */
  relations: SourceRow[];
  memoryRelations: SourceRow[];
  versions: SourceRow[];
  /** When observations were deleted whose rows do not say so, by their ids. */
  deleted: Map<string, unknown>;
  /** Tables of which nothing comes. */
  others: { what: string; count: number }[];
}

/** Tables whose rows come, or are told of by their own words. */
const TABLES = [
  'sessions',
  'observations',
  'user_prompts',
  'relations',
  'memory_relations',
  'observation_versions',
];

/** What serves their own syncing and searching. */
const OWN = /^(sync_|cloud_|prompt_tombstones|prompts_)/;
/** Lists by which an export or a chunk is known. */
const LISTS = ['sessions', 'observations'];

/**
 * Reads a database, an export, or the folder `.engram` of a repository, told apart by what is in them.
 * @param source the tool that was named
 * @throws PrecedentError `not_found`, or `invalid` for a file of another kind
 */
export function openEngram(path: string, source: string): EngramRows {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory())
    return fromChunks(existsSync(join(path, '.engram')) ? requireBelow(join(path, '.engram'), path) : path);
  if (beginsAsJson(path)) return fromJson(readText(path).text);
  return readDatabase(path, (database) => {
    requireDatabaseOf(source, database);
    return {
      sessions: database.rows('sessions', 'id'),
      observations: database.rows('observations', 'id'),
      prompts: database.rows('user_prompts', 'id'),
      relations: database.rows('relations', 'id'),
      memoryRelations: database.rows('memory_relations', 'id'),
      versions: database.rows('observation_versions', 'rowid'),
      deleted: new Map(),
      others: database.others(TABLES).filter(({ what }) => !OWN.test(what)),
    };
  });
}

function fromChunks(folder: string): EngramRows {
  const chunks = chunksIn(folder);
  const all = chunks.map(rowsIn);
  const more = replayed(chunks);
  const stands = (name: 'sessions' | 'observations' | 'prompts', id: string) => {
    const rows = all.flatMap((each) => each?.[name] ?? []);
    const known = new Set(rows.map((row) => row[id]));
    return [...rows, ...more[name].filter((row) => !known.has(row[id]))];
  };
  return {
    sessions: [...new Map(stands('sessions', 'id').map((row) => [row.id, row])).values()],
    observations: stands('observations', 'sync_id'),
    prompts: stands('prompts', 'sync_id'),
    relations: [],
    memoryRelations: [...all.flatMap((each) => each?.memoryRelations ?? []), ...more.memoryRelations],
    versions: all.flatMap((each) => each?.versions ?? []),
    deleted: more.deleted,
    others: [],
  };
}

function fromJson(text: string): EngramRows {
  const value = parsedOf(text);
  const rows = isObject(value) ? rowsIn(value) : undefined;
  const isOther = rows?.observations.some((row) => 'memory_session_id' in row);
  if (rows && !isOther) return rows;
  throw new PrecedentError(
    'invalid',
    `Expected sessions and observations as JSON, found ${isOther ? 'those of claude-mem; --from claude-mem reads them' : 'another file'}. Nothing was imported.`,
  );
}

/** The lists of an export or a chunk; undefined for what is neither. */
function rowsIn(value: Record<string, unknown>): EngramRows | undefined {
  const list = (name: string) => (Array.isArray(value[name]) ? value[name].filter(isObject) : []);
  // Go writes an empty list as null.
  if (!LISTS.some((name) => Array.isArray(value[name]) || value[name] === null)) return undefined;
  return {
    sessions: list('sessions'),
    observations: list('observations'),
    prompts: list('prompts'),
    relations: [],
    memoryRelations: list('memory_relations'),
    versions: list('observation_versions'),
    deleted: new Map(),
    others: [],
  };
}
