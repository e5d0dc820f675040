import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** A date on which a decision is to be looked at again (V-5). */
export const addRevisit: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('decisions').addColumn('revisit', 'text').execute();
  },
};
