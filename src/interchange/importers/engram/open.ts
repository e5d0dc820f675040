import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { invalid, notFound, PrecedentError } from '../../../domain/error.ts';
import type { Facts } from '../../../domain/import/facts.ts';
import { readBounded, readIfOrdinary, SMALL } from '../../../files/bounded.ts';
import { statHere } from '../../../files/machines.ts';
import { readDatabase } from '../source-database.ts';
import { beginsAsJson, isFolder, readText, requireBelow } from '../source-text.ts';
import { isObject, objectOf, objectsOf, parsedOf, type SourceRow, textOf } from '../values.ts';

/** The records of Hoofy and engram, whatever they are read from. */
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
  /** Tables that give nothing. */
  skipped: Facts['skipped'];
}

/** Fields that not every source has. */
const NONE = { relations: [], deleted: new Map<string, unknown>(), skipped: [] };
/** Tables whose rows come, or are reported in their own words, and those for their own syncing and searching. */
const TABLES =
  /^((sessions|observations|user_prompts|relations|memory_relations|observation_versions)$|sync_|cloud_|prompt_tombstones|prompts_)/;
/** Lists by which an export or a chunk is known. */
const LISTS = ['sessions', 'observations'];

/**
 * Reads a database, an export, or the folder `.engram` of a repository, recognised by what is in them.
 * @param source the tool that was named
 * @throws PrecedentError `not_found`, or `invalid` for a file of another kind
 */
export function openEngram(path: string, source: string): EngramRows {
  if (isFolder(path))
    return fromChunks(statHere(join(path, '.engram')) ? requireBelow(join(path, '.engram'), path) : path);
  if (beginsAsJson(path)) return fromJson(readText(path).text);
  return readDatabase(path, source, (database) => ({
    ...NONE,
    sessions: database.rows('sessions', 'id'),
    observations: database.rows('observations', 'id'),
    prompts: database.rows('user_prompts', 'id'),
    relations: database.rows('relations', 'id'),
    memoryRelations: database.rows('memory_relations', 'id'),
    versions: database.rows('observation_versions', 'rowid'),
    skipped: database.others(TABLES, 'neither observations nor links'),
  }));
}

function fromChunks(folder: string): EngramRows {
  const chunks = chunksIn(folder);
  const all = chunks.map(rowsIn);
  const more = replayed(chunks);
  const current = (name: 'sessions' | 'observations' | 'prompts', id: string) => {
    const rows = all.flatMap((each) => each?.[name] ?? []);
    const known = new Set(rows.map((row) => row[id]));
    return [...rows, ...more[name].filter((row) => !known.has(row[id]))];
  };
  return {
    ...NONE,
    sessions: [...new Map(current('sessions', 'id').map((row) => [row.id, row])).values()],
    observations: current('observations', 'sync_id'),
    prompts: current('prompts', 'sync_id'),
    memoryRelations: [...all.flatMap((each) => each?.memoryRelations ?? []), ...more.memoryRelations],
    versions: all.flatMap((each) => each?.versions ?? []),
    deleted: more.deleted,
  };
}

function fromJson(text: string): EngramRows {
  const value = parsedOf(text);
  const rows = isObject(value) ? rowsIn(value) : undefined;
  const isOther = rows?.observations.some((row) => 'memory_session_id' in row);
  if (rows && !isOther) return rows;
  throw invalid.wrong_content(
    `Expected sessions and observations as JSON, found ${isOther ? 'those of claude-mem; --from claude-mem reads them' : 'another file'}. Nothing was imported.`,
  );
}

/** The lists of an export or a chunk; undefined for what is neither. */
function rowsIn(value: Record<string, unknown>): EngramRows | undefined {
  // Go writes an empty list as null.
  if (!LISTS.some((name) => Array.isArray(value[name]) || value[name] === null)) return undefined;
  return {
    ...NONE,
    sessions: objectsOf(value.sessions),
    observations: objectsOf(value.observations),
    prompts: objectsOf(value.prompts),
    memoryRelations: objectsOf(value.memory_relations),
    versions: objectsOf(value.observation_versions),
  };
}

/** One chunk as it was shared: rows, and from 1.8 on what became of others. */
type Chunk = Record<string, unknown>;

const ENDING = '.jsonl.gz';
/** Bytes of one chunk as it was shared, and of all of them as they unpack. */
const PACKED = 16 * SMALL;
const UNPACKED = 64 * SMALL;

/**
 * Records that machines have shared by way of a repository: each chunk is one object. They come in the order in which they were
 * shared, since their names are hashes; one that the list does not know comes last.
 * @throws PrecedentError `not_found` where there is none; `invalid` for one that is cut short
 */
function chunksIn(folder: string): Chunk[] {
  const chunks = requireBelow(join(folder, 'chunks'), folder);
  const files = globSync(join(chunks, `*${ENDING}`));
  if (files.length === 0) {
    throw notFound.no_file(`Expected a folder with chunks of engram, found none in ${folder}.`);
  }
  const places = new Map(listedIn(folder).map((id, place) => [id, place]));
  const placeOf = (file: string) => places.get(basename(file, ENDING)) ?? places.size;
  const left = { bytes: UNPACKED };
  return files
    .sort((a, b) => placeOf(a) - placeOf(b) || (a < b ? -1 : 1))
    .map((file) => chunkAt(file, folder, left));
}

/** The chunks that `manifest.json` lists; none where it cannot be read, as after a merge that was not resolved. */
function listedIn(folder: string): string[] {
  const { chunks } = objectOf(readIfOrdinary(join(folder, 'manifest.json'), { within: folder })?.toString());
  return objectsOf(chunks).map(({ id }) => String(id));
}

/** @param left what all further chunks may unpack to, in bytes */
function chunkAt(file: string, folder: string, left: { bytes: number }): Chunk {
  try {
    const packed = readBounded(file, { limit: PACKED, within: folder });
    const text = gunzipSync(packed ?? '', { maxOutputLength: Math.max(1, left.bytes) });
    left.bytes -= text.length;
    const chunk = parsedOf(text.toString('utf8'));
    if (isObject(chunk)) return chunk;
    throw new Error('it is no object');
  } catch (error) {
    if (error instanceof PrecedentError) throw error;
    if (error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE')
      throw invalid.too_large(
        `Expected chunks that unpack to at most ${UNPACKED / SMALL} MB in all, found more at ${file}. Nothing was imported.`,
        { cause: error },
      );
    throw invalid.wrong_content(`Expected a whole chunk, found that ${file} cannot be read.`, {
      cause: error,
    });
  }
}

/**
 * The parts of chunks besides their rows: links between observations, rows that are in no list, and what was deleted for good,
 * which is in an earlier chunk.
 */
function replayed(chunks: Chunk[]) {
  const stated: Record<string, Map<string, SourceRow>> = {
    session: new Map(),
    observation: new Map(),
    prompt: new Map(),
    relation: new Map(),
  };
  /** When an observation was deleted, by its id. */
  const deleted = new Map<string, unknown>();
  const changes = chunks.flatMap(({ mutations }) => objectsOf(mutations));
  for (const { entity, entity_key, op, payload, occurred_at } of changes) {
    const rows = stated[String(entity)];
    const said = objectOf(payload);
    const key = textOf(entity_key) ?? textOf(said.sync_id) ?? textOf(said.id);
    if (rows === undefined || key === undefined) continue;
    if (op === 'delete') {
      rows.delete(key);
      if (entity === 'observation') deleted.set(key, said.deleted_at ?? occurred_at);
    } else
      rows.set(key, { created_at: occurred_at, ...said, [entity === 'session' ? 'id' : 'sync_id']: key });
  }
  const rowsOf = (entity: string) => [...(stated[entity]?.values() ?? [])];
  return {
    sessions: rowsOf('session'),
    observations: rowsOf('observation'),
    prompts: rowsOf('prompt'),
    memoryRelations: rowsOf('relation'),
    deleted,
  };
}
