import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Ddl } from '../engine.ts';

/** I-1, I-2: where records came from, and an id that is the same on every machine for those that have only a number. */
export function createOrigins(ddl: Ddl): Migration {
  return {
    async up(db: Kysely<unknown>) {
      for (const table of ['records', 'relations']) await addUid(db, table);
      await db.schema
        .createTable('origins')
        .addColumn('source', 'text', (column) => column.notNull())
        .addColumn('key', 'text', (column) => column.notNull())
        // Not foreign keys: what came may be deleted here, and does not come again.
        .addColumn('record_seq', ddl.sequenceType)
        .addColumn('relation_id', ddl.sequenceType)
        .addColumn('hash', 'text', (column) => column.notNull())
        .addColumn('written', 'text', (column) => column.notNull())
        .addColumn('rest', 'text')
        .addPrimaryKeyConstraint('origins_key', ['source', 'key'])
        .execute();
      for (const column of ['record_seq', 'relation_id']) {
        await db.schema.createIndex(`origins_${column}`).on('origins').column(column).execute();
      }
    },
  };
}

/** Empty in what was saved here: its uid follows from what it is. Few have one, so that the index is small. */
async function addUid(db: Kysely<unknown>, table: string): Promise<void> {
  await db.schema.alterTable(table).addColumn('uid', 'text').execute();
  await db.schema
    .createIndex(`${table}_uid`)
    .unique()
    .on(table)
    .column('uid')
    .where(sql.ref('uid'), 'is not', null)
    .execute();
}
