import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The git branch that a decision was taken on; nothing on the main one, and where nobody knew. */
export const migration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('decisions').addColumn('branch', 'text').execute();
  },
};
