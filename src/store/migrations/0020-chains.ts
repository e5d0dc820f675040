import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The chain of each version is read from its row: a table of its own won a few milliseconds of a count (ADR 0070). */
export const migration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.dropTable('search_chains').ifExists().execute();
  },
};
