import type { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import type { VectorIndex } from '../engine.ts';
import { toBytes, toFloats } from '../vector.ts';

/** @param opened the connections: each gets the distance function when it is first needed */
export function vectorIndex(opened: Iterable<DatabaseSync>): VectorIndex {
  const defined = new Map<DatabaseSync, Promise<void>>();
  const ready = async () => {
    for (const each of opened) if (!defined.has(each)) defined.set(each, defineDistance(each));
    await Promise.all(defined.values());
  };
  return {
    async nearest(db, model, vector, limit, eligible) {
      await ready();
      const asked = toBytes(vector);
      const { rows } = await sql<Similar>`
        select v.seq, ${similarityTo(asked)} as similarity from vectors as v join records as r on r.seq = v.seq
        where ${comparable(model, vector)} and ${eligible}
        order by similarity desc, v.seq desc limit ${limit}`.execute(db);
      return rows;
    },

    async similarities(db, model, vector, seqs) {
      await ready();
      const { rows } = await sql<Similar>`
        select v.seq, ${similarityTo(toBytes(vector))} as similarity
        from json_each(${JSON.stringify(seqs)}) as wanted join vectors as v on v.seq = wanted.value
        where ${comparable(model, vector)}`.execute(db);
      return new Map(rows.map(({ seq, similarity }) => [seq, similarity]));
    },

    // Any column can hold any value: what is not a blob is not a vector.
    toBytes: (stored) => (stored instanceof Uint8Array ? stored : new Uint8Array()),
    fromBytes: (bytes) => bytes,
  };
}

interface Similar {
  seq: number;
  similarity: number;
}

/** Which of `vectors as v` can be compared: one with other bytes than its dimensions say would end the search. */
function comparable(model: string, { length, byteLength }: Float32Array) {
  return sql`v.model = ${model} and v.dimensions = ${length} and typeof(v.vector) = 'blob'
    and length(v.vector) = ${byteLength}`;
}

function similarityTo(asked: Uint8Array) {
  return sql`round(1 - vec_distance_cosine(v.vector, ${asked}), 6)`;
}

/**
 * Loads sqlite-vec, an optional package; where it has no build, the same function in JavaScript, three to five times
 * slower over a hundred thousand vectors.
 */
async function defineDistance(database: DatabaseSync): Promise<void> {
  try {
    const { getLoadablePath } = await load('sqlite-vec');
    database.enableLoadExtension(true);
    database.loadExtension(getLoadablePath());
  } catch {
    database.function('vec_distance_cosine', { deterministic: true }, (one, other) =>
      cosineDistance(one as Uint8Array, other as Uint8Array),
    );
  } finally {
    stopLoading(database);
  }
}

/** No bundler sees the name, so none takes in what loads a native library from its own folder, or asks for it (LB-6). */
const load = (name: string): Promise<typeof import('sqlite-vec')> => import(name);

/** The loaded extension stays; no other can be loaded. */
function stopLoading(database: DatabaseSync): void {
  try {
    database.enableLoadExtension(false);
  } catch {
    // The connection was opened where extensions are not allowed at all.
  }
}

/** The cosine of two vectors of unit length. */
function cosineDistance(one: Uint8Array, other: Uint8Array): number {
  const [a, b] = [toFloats(one), toFloats(other)];
  let product = 0;
  for (let index = 0; index < a.length; index++) product += (a[index] as number) * (b[index] as number);
  return 1 - product;
}
