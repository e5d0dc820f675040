import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The files that a decision binds (F-1). */
export const addFiles: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('decisions').addColumn('files', 'text').execute();
  },
};
