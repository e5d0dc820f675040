import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { Kysely, sql } from 'kysely';
import { unitVector } from '../src/embedding/embedder.ts';
import { createMemory } from '../src/store/migrations/0016-memory.ts';
import type { Schema } from '../src/store/schema.ts';
import { putVector } from '../src/store/search/vectors.ts';
import { nodeSqliteDialect } from '../src/store/sqlite/driver.ts';
import { ddl } from '../src/store/sqlite/migrate.ts';
import { vectorIndex } from '../src/store/sqlite/vector-index.ts';
import { generator } from './support/random.ts';

/** Vectors in a table, where sqlite-vec may be loaded and where it may not. */
async function index(allowExtension: boolean) {
  const database = new DatabaseSync(':memory:', { allowExtension, enableForeignKeyConstraints: false });
  const db = new Kysely<Schema>({
    dialect: nodeSqliteDialect(database, { file: () => {}, schema: () => {} }),
  });
  await createMemory(ddl).up(db as unknown as Kysely<never>);
  const vectors = vectorIndex([database]);
  const random = generator(3);
  const vector = (size = 16) =>
    unitVector(Array.from({ length: size }, () => random() - 0.5)) as Float32Array;
  const stored = Array.from({ length: 200 }, () => vector());
  for (const [seq, each] of stored.entries()) await putVector({ db, vectors }, seq, 'm', each);
  database.exec(
    "insert into records (seq, kind, session, writer) select seq, 'checkpoint', 1, 1 from vectors",
  );
  return { database, db, vectors, stored, vector };
}

describe('vectors on SQLite', () => {
  for (const [name, allowed] of [
    ['with sqlite-vec', true],
    ['without it', false],
  ] as const) {
    it(`${name}: the nearest by cosine, nearest first, of this model and size alone`, async () => {
      const { database, db, vectors, stored, vector } = await index(allowed);
      const asked = vector();
      await putVector({ db, vectors }, 900, 'another', asked);
      await putVector({ db, vectors }, 901, 'm', vector(8));
      const cosine = (other: Float32Array) =>
        other.reduce((sum, each, at) => sum + each * (asked[at] ?? 0), 0);
      database.exec(
        "insert into records (seq, kind, session, writer) values (900, 'checkpoint', 1, 1), (901, 'checkpoint', 1, 1)",
      );
      const expected = stored
        .map((other, seq) => ({ seq, similarity: cosine(other) }))
        .sort((a, b) => b.similarity - a.similarity)
        .slice(0, 10);
      const found = await vectors.nearest(db, 'm', asked, 10, sql`r.seq < 1000`);
      assert.deepEqual(
        found.map(({ seq }) => seq),
        expected.map(({ seq }) => seq),
      );
      for (const [at, { similarity }] of found.entries()) {
        assert(Math.abs(similarity - (expected[at]?.similarity ?? 0)) < 1e-5);
      }
      const loaded = database
        .prepare("select count(*) as n from pragma_function_list where name = 'vec_version'")
        .get();
      assert.equal(loaded?.n, allowed ? 1 : 0, 'whether the extension answers');
      assert.throws(() => database.loadExtension('anything'), 'nothing else can be loaded');
    });
  }
});
