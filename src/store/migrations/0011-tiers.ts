import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** D-10, W-6: of a tier only what is shown is read, and counting reads no row. */
export function orderTiers(): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await db.schema.dropIndex('decisions_tier').execute();
      await db.schema
        .createIndex('decisions_tier')
        .on('decisions')
        .columns(['scope', 'strength', 'created_at', 'seq'])
        .where(sql.ref('is_active'), '=', sql.lit(1))
        .execute();
    },
  };
}
