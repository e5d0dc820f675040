import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Which decisions are due is asked at the start of each session (V-5): few have a day, and only these are read. */
export const indexRevisit: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createIndex('decisions_revisit')
      .on('decisions')
      .column('revisit')
      .where(sql.ref('is_active'), '=', sql.lit(1))
      .where(sql.ref('revisit'), 'is not', null)
      .execute();
  },
};
