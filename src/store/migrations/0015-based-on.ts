import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Db } from '../engine.ts';

/** Which version the author of a version saw (Y-6): of one that is here already the version before it. */
export const addBasedOn: Migration & { rows(db: Db): Promise<void> } = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('decisions').addColumn('based_on', 'text').execute();
  },
  async rows(db: Db) {
    await sql`update decisions set based_on = previous_version_id`.execute(db);
  },
};
