import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Ddl } from '../engine.ts';

/** K-6, U-6: what was saved together, what of it was a mistake, and the earlier texts of memos. */
export function createTakingBack(ddl: Ddl): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await retractions(db);
      await saves(db, ddl);
      await memoRevisions(db, ddl);
    },
  };
}

async function retractions(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('records').addColumn('retracted_at', 'bigint').execute();
  // Mistakes are few, and are looked up by themselves.
  await db.schema
    .createIndex('records_retracted')
    .on('records')
    .column('seq')
    .where(sql.ref('retracted_at'), 'is not', null)
    .execute();
}

/** What an earlier version saved has no row here, and is not taken back. */
async function saves(db: Kysely<unknown>, ddl: Ddl): Promise<void> {
  const created = ddl
    .addSequence(db.schema.createTable('saves'), 'id')
    .addColumn('writer', ddl.sequenceType, (column) => column.notNull().references('writers.id'))
    .addColumn('created_at', 'bigint', (column) => column.notNull());
  await ['first_record', 'last_record', 'first_change', 'last_change']
    // Not foreign keys: a record may be deleted afterwards.
    .reduce((table, column) => table.addColumn(column, ddl.sequenceType), created)
    .addColumn('undoes', ddl.sequenceType, (column) => column.unique().references('saves.id'))
    .execute();
}

/** The lengths are those of memos. */
async function memoRevisions(db: Kysely<unknown>, ddl: Ddl): Promise<void> {
  await db.schema
    .createTable('memo_revisions')
    .addColumn('memo_seq', ddl.sequenceType, (column) => column.notNull().references('memos.seq'))
    .addColumn('revision', 'integer', (column) => column.notNull())
    .addColumn('summary', 'text', (column) => column.notNull())
    .addColumn('full_text', 'text', (column) => column.notNull())
    .addColumn('replaced_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('memo_revisions_key', ['memo_seq', 'revision'])
    .addCheckConstraint('memo_revisions_revision', sql`revision >= 1`)
    .addCheckConstraint('memo_revisions_summary', sql`length(summary) between 1 and 200`)
    .addCheckConstraint('memo_revisions_full_text', sql`length(full_text) between 1 and 500`)
    .execute();
}
