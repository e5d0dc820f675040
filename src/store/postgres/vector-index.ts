import { type RawBuilder, sql } from 'kysely';
import { unavailable } from '../../domain/error.ts';
import type { Db, VectorIndex } from '../engine.ts';

interface Similar {
  seq: number;
  similarity: number;
}

export function vectorIndex(): VectorIndex {
  let extension: Promise<string> | undefined;
  /** The cosine of each vector with the one asked for. */
  const similarityTo = async (db: Db, asked: Float32Array): Promise<RawBuilder<number>> => {
    extension ??= findExtension(db).catch((error) => {
      // The extension may be installed by the next time.
      extension = undefined;
      throw error;
    });
    const schema = await extension;
    const vector = sql.id(schema, 'vector');
    const text = `[${asked.join(',')}]`;
    return sql`round((1 - (v.vector::${vector} operator(${sql.id(schema)}.<=>) ${text}::${vector}))::numeric, 6)::float8`;
  };
  return {
    async nearest(db, model, vector, limit, eligible) {
      const similarity = await similarityTo(db, vector);
      const { rows } = await sql<Similar>`
        select v.seq, ${similarity} as similarity from vectors as v join records as r on r.seq = v.seq
        where v.model = ${model} and v.dimensions = ${vector.length}
          and cardinality(v.vector) = v.dimensions and ${eligible}
        order by similarity desc, v.seq desc limit ${limit}`.execute(db);
      return rows;
    },

    async similarities(db, model, vector, seqs) {
      const similarity = await similarityTo(db, vector);
      const { rows } = await sql<Similar>`
        select v.seq, ${similarity} as similarity from vectors as v
        where v.seq = any(${seqs}::bigint[]) and v.model = ${model} and v.dimensions = ${vector.length}
          and cardinality(v.vector) = v.dimensions`.execute(db);
      return new Map(rows.map(({ seq, similarity }) => [seq, similarity]));
    },

    toBytes: (stored) => new Uint8Array(Float32Array.from(stored as number[]).buffer),
    // A copy: the bytes may be part of a larger buffer.
    fromBytes: (bytes) => [...new Float32Array(new Uint8Array(bytes).buffer)],
  };
}

/** The schema of pgvector: its type and operator are named in full, since the search path holds the workspace alone. */
async function findExtension(db: Db): Promise<string> {
  const { rows } = await sql<{ schema: string }>`
    select n.nspname as schema from pg_catalog.pg_extension as e
    join pg_catalog.pg_namespace as n on n.oid = e.extnamespace where e.extname = 'vector'`.execute(db);
  const [found] = rows;
  if (found) return found.schema;
  throw unavailable.unsupported(
    'Expected the extension pgvector for searching by meaning, found none in this database. Install its package on the server, and run "create extension vector" in the database; or leave out the model.',
  );
}
