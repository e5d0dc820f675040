import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Ddl } from '../engine.ts';

/** What a search reads of hundreds of records stands in narrow rows, beside the wide ones of the records (ADR 0070). */
export function createNarrowPaths(ddl: Ddl): Migration {
  return {
    async up(db: Kysely<unknown>) {
      // What was saved beside a hit in its session is read from the index alone.
      await db.schema.dropIndex('records_session').execute();
      await db.schema
        .createIndex('records_session')
        .on('records')
        .columns(['session', 'seq', 'kind', 'retracted_at'])
        .execute();
      // Whether several people wrote: the first and the last of their names.
      await db.schema.createIndex('writers_author').on('writers').column('author').execute();
      await ddl.fillChains(db);
    },
  };
}
