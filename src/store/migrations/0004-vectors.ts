import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Ddl } from '../engine.ts';

/**
 * What records mean, as a model's vectors; each goes with its record. An ordinary table: a memory without a model needs
 * no extension, and stays readable where one is missing.
 */
export function createVectors(ddl: Ddl): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('vectors')
        .addColumn('seq', ddl.sequenceType, (column) =>
          column.primaryKey().references('records.seq').onDelete('cascade'),
        )
        .addColumn('model', 'text', (column) => column.notNull())
        .addColumn('dimensions', 'integer', (column) => column.notNull())
        .addColumn('vector', ddl.vectorType, (column) => column.notNull())
        .execute();
    },
  };
}
