import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { addIndex } from './columns.ts';

/** The version that a tidying leaves as decided (TR-3). Few versions tidy another one, so that the index is small. */
export const migration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('decisions').addColumn('tidies', 'text').execute();
    await addIndex(db, 'decisions_tidied', 'decisions', ['tidies'], { only: '"tidies" is not null' });
  },
};
