import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { required } from './columns.ts';

/** Facts of a newer program, and the fields of it that facts here have (J-5). */
export const migration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('kept_facts')
      .addColumn('format', 'integer', required)
      .addColumn('kind', 'text', required)
      .addColumn('id', 'text', required)
      .addColumn('at', 'bigint', required)
      .addColumn('body', 'text', required)
      .addPrimaryKeyConstraint('kept_facts_key', ['format', 'kind', 'id'])
      .execute();
  },
};
