import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { PrecedentError } from '../../../domain/error.ts';
import { readBounded, SMALL } from '../../../files/bounded.ts';
import type { SourceRow } from '../source-database.ts';
import { isObject, objectOf, parsedOf, textOf } from '../values.ts';

/** One chunk as it was shared: rows, and from 1.8 on what became of others. */
export type Chunk = Record<string, unknown>;

const ENDING = '.jsonl.gz';
/** Bytes of one chunk as it was shared, and of all of them as they unpack. */
const PACKED = 16 * SMALL;
const UNPACKED = 64 * SMALL;

/**
 * What machines have shared by way of a repository: each chunk is one object. They come in the order in which they were
 * shared, since their names are hashes; one that the list does not know comes last.
 * @throws PrecedentError `not_found` where there is none; `invalid` for one that is cut short
 */
export function chunksIn(folder: string): Chunk[] {
  const files = globSync(join(folder, 'chunks', `*${ENDING}`));
  if (files.length === 0) {
    throw new PrecedentError(
      'not_found',
      `Expected a folder with chunks of engram, found none in ${folder}.`,
    );
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
  try {
    const { chunks } = objectOf(String(readBounded(join(folder, 'manifest.json'), { within: folder })));
    return Array.isArray(chunks) ? chunks.filter(isObject).map(({ id }) => String(id)) : [];
  } catch {
    return [];
  }
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
      throw new PrecedentError(
        'invalid',
        `Expected chunks that unpack to at most ${UNPACKED / SMALL} MB in all, found more at ${file}. Nothing was imported.`,
        { cause: error },
      );
    throw new PrecedentError('invalid', `Expected a whole chunk, found that ${file} cannot be read.`, {
      cause: error,
    });
  }
}

/**
 * What chunks tell beside their rows: links between observations, rows that stand in no list, and what was deleted for good,
 * which stands in an earlier chunk.
 */
export function replayed(chunks: Chunk[]) {
  const told: Record<string, Map<string, SourceRow>> = {
    session: new Map(),
    observation: new Map(),
    prompt: new Map(),
    relation: new Map(),
  };
  /** When an observation was deleted, by its id. */
  const deleted = new Map<string, unknown>();
  const changes = chunks.flatMap(({ mutations }) =>
    Array.isArray(mutations) ? mutations.filter(isObject) : [],
  );
  for (const { entity, entity_key, op, payload, occurred_at } of changes) {
    const rows = told[String(entity)];
    const said = objectOf(payload);
    const key = textOf(entity_key) ?? textOf(said.sync_id) ?? textOf(said.id);
    if (rows === undefined || key === undefined) continue;
    if (op === 'delete') {
      rows.delete(key);
      if (entity === 'observation') deleted.set(key, said.deleted_at ?? occurred_at);
    } else
      rows.set(key, { created_at: occurred_at, ...said, [entity === 'session' ? 'id' : 'sync_id']: key });
  }
  const rowsOf = (entity: string) => [...(told[entity]?.values() ?? [])];
  return {
    sessions: rowsOf('session'),
    observations: rowsOf('observation'),
    prompts: rowsOf('prompt'),
    memoryRelations: rowsOf('relation'),
    deleted,
  };
}
