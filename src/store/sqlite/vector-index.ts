import type { DatabaseSync } from 'node:sqlite';
import { type Kysely, sql } from 'kysely';
import type { VectorIndex } from '../engine.ts';

/** An ordinary table: a file stays readable where the extension is missing. */
export async function createVectors(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('vectors')
    .addColumn('seq', 'integer', (column) =>
      column.primaryKey().references('records.seq').onDelete('cascade'),
    )
    .addColumn('model', 'text', (column) => column.notNull())
    .addColumn('vector', 'blob', (column) => column.notNull())
    .execute();
}

/** @param database where the distance is defined when it is first needed */
export function vectorIndex(database: DatabaseSync): VectorIndex {
  let ready: Promise<void> | undefined;
  return {
    async put(db, seq, model, vector) {
      await db
        .insertInto('vectors')
        .values({ seq, model, vector: bytesOf(vector) })
        .onConflict((conflict) => conflict.column('seq').doUpdateSet({ model, vector: bytesOf(vector) }))
        .execute();
    },

    async nearest(db, model, vector, limit) {
      ready ??= defineDistance(database);
      await ready;
      const asked = bytesOf(vector);
      const { rows } = await sql<{ seq: number; similarity: number }>`
        select seq, round(1 - vec_distance_cosine(vector, ${asked}), 6) as similarity from vectors
        where model = ${model} and length(vector) = ${asked.byteLength}
        order by similarity desc, seq desc limit ${limit}`.execute(db);
      return rows;
    },
  };
}

/**
 * Loads sqlite-vec, an optional package; where it has no build, the same function in JavaScript, three to five times
 * slower over a hundred thousand vectors.
 */
async function defineDistance(database: DatabaseSync): Promise<void> {
  try {
    const { getLoadablePath } = await import('sqlite-vec');
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

/** What is loaded stays; nothing else can be. */
function stopLoading(database: DatabaseSync): void {
  try {
    database.enableLoadExtension(false);
  } catch {
    // The connection was opened where extensions are not allowed at all.
  }
}

/** Of two vectors of unit length. */
function cosineDistance(one: Uint8Array, other: Uint8Array): number {
  const [a, b] = [floatsOf(one), floatsOf(other)];
  let product = 0;
  for (let index = 0; index < a.length; index++) product += (a[index] as number) * (b[index] as number);
  return 1 - product;
}

function bytesOf(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}

function floatsOf(bytes: Uint8Array): Float32Array {
  // A view needs an aligned start, which the driver does not promise.
  return bytes.byteOffset % 4 === 0
    ? new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4)
    : new Float32Array(bytes.slice().buffer);
}
