import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Ddl } from '../engine.ts';

/** Which records an operator redacted, and when: the text is gone, the fact that it was there is not. */
export function createRedactions(ddl: Ddl): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('redactions')
        .addColumn('seq', ddl.sequenceType, (column) => column.primaryKey().references('records.seq'))
        // Not a foreign key: the record may be deleted afterwards.
        .addColumn('record_seq', ddl.sequenceType, (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .execute();
    },
  };
}
