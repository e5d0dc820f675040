import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { PrecedentError } from '../../../domain/error.ts';
import { readDatabase, type SourceRow } from '../source-database.ts';
import { beginsAsJson, readText } from '../source-text.ts';
import { isObject } from '../values.ts';
import { requireDatabaseOf } from '../whose.ts';

/** What Hoofy and engram keep, whatever it is read from. */
export interface EngramRows {
  sessions: SourceRow[];
  observations: SourceRow[];
  prompts: SourceRow[];
  /** Between observations by their numbers (Hoofy), and by their ids (engram from 1.15 on). */
  relations: SourceRow[];
  memoryRelations: SourceRow[];
  versions: SourceRow[];
}

const NONE: EngramRows = {
  sessions: [],
  observations: [],
  prompts: [],
  relations: [],
  memoryRelations: [],
  versions: [],
};

/**
 * Reads a database, an export, or the folder `.engram` of a repository, told apart by what is in them.
 * @param source the tool that was named
 * @throws PrecedentError `not_found`, or `invalid` for a file of another kind
 */
export function openEngram(path: string, source: string): EngramRows {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory()) return chunksIn(existsSync(join(path, '.engram')) ? join(path, '.engram') : path);
  if (beginsAsJson(path)) return fromJson(readText(path).text);
  return readDatabase(path, (database) => {
    requireDatabaseOf(source, database);
    return {
      sessions: database.rows('sessions', 'id'),
      observations: database.rows('observations', 'id'),
      prompts: database.rows('user_prompts', 'id'),
      relations: database.rows('relations', 'id'),
      memoryRelations: database.rows('memory_relations', 'id'),
      versions: database.rows('observation_versions', 'captured_at, version_id'),
    };
  });
}

/** What machines have shared by way of a repository: each chunk is one object. */
function chunksIn(folder: string): EngramRows {
  const files = globSync(join(folder, 'chunks', '*.jsonl.gz')).sort();
  if (files.length === 0) {
    throw new PrecedentError(
      'not_found',
      `Expected a folder with chunks of engram, found none in ${folder}.`,
    );
  }
  const all = files.map((file) => {
    try {
      return fromJson(gunzipSync(readFileSync(file)).toString('utf8'));
    } catch (error) {
      if (error instanceof PrecedentError) throw error;
      throw new PrecedentError('invalid', `Expected a whole chunk, found that ${file} cannot be read.`, {
        cause: error,
      });
    }
  });
  return {
    ...NONE,
    sessions: all.flatMap(({ sessions }) => sessions),
    observations: all.flatMap(({ observations }) => observations),
    prompts: all.flatMap(({ prompts }) => prompts),
  };
}

function fromJson(text: string): EngramRows {
  const value = parse(text);
  const list = (name: string) => {
    const rows = value?.[name];
    return Array.isArray(rows) ? rows.filter(isObject) : undefined;
  };
  const observations = list('observations');
  const isOther = observations?.some((row) => 'memory_session_id' in row);
  if (isOther || (!observations && !list('sessions'))) {
    throw new PrecedentError(
      'invalid',
      `Expected sessions and observations as JSON, found ${isOther ? 'those of claude-mem; --from claude-mem reads them' : 'another file'}. Nothing was imported.`,
    );
  }
  return {
    ...NONE,
    sessions: list('sessions') ?? [],
    observations: observations ?? [],
    prompts: list('prompts') ?? [],
  };
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
