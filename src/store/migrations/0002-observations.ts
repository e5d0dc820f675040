import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Ddl } from '../engine.ts';

/** Observations with their revisions, the relations between them, and where evidence was taken from. */
export function createObservations(ddl: Ddl): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await observations(db, ddl);
      await revisions(db, ddl);
      await relations(db, ddl);
      // Not a foreign key: evidence outlives an observation that was deleted for good, and no id comes back.
      await db.schema.alterTable('evidence').addColumn('observation_id', ddl.sequenceType).execute();
    },
  };
}

async function observations(db: Kysely<unknown>, ddl: Ddl): Promise<void> {
  await ddl
    .addSequence(db.schema.createTable('observations'), 'id')
    .addColumn('seq', ddl.sequenceType, (column) => column.notNull().unique().references('records.seq'))
    .addColumn('title', 'text', (column) => column.notNull())
    .addColumn('content', 'text', (column) => column.notNull())
    .addColumn('content_hash', 'text', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    // An empty project is no project: a unique index takes two NULLs for different.
    .addColumn('project', 'text', (column) => column.notNull())
    .addColumn('scope', 'text', (column) => column.notNull())
    .addColumn('topic_key', 'text')
    .addColumn('revision_count', 'integer', (column) => column.notNull())
    .addColumn('duplicate_count', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .addColumn('last_seen_at', 'bigint', (column) => column.notNull())
    .addColumn('deleted_at', 'bigint')
    // Who wrote the present text; the list of records has who saved the first one.
    .addColumn('session_id', 'text', (column) => column.notNull())
    .addColumn('client', 'text', (column) => column.notNull())
    .addCheckConstraint('observations_title', sql`length(trim(title)) > 0`)
    .addCheckConstraint('observations_counts', sql`revision_count >= 0 and duplicate_count >= 0`)
    .execute();
  await db.schema
    .createIndex('observations_topic_key')
    .unique()
    .on('observations')
    .columns(['project', 'scope', 'topic_key'])
    .where(sql.ref('deleted_at'), 'is', sql.lit(null))
    .where(sql.ref('topic_key'), 'is not', sql.lit(null))
    .execute();
  await db.schema.createIndex('observations_content').on('observations').column('content_hash').execute();
}

/** Each text an observation had before its present one. */
async function revisions(db: Kysely<unknown>, ddl: Ddl): Promise<void> {
  await db.schema
    .createTable('observation_revisions')
    .addColumn('observation_id', ddl.sequenceType, (column) =>
      column.notNull().references('observations.id').onDelete('cascade'),
    )
    .addColumn('revision', 'integer', (column) => column.notNull())
    .addColumn('title', 'text', (column) => column.notNull())
    .addColumn('content', 'text', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('replaced_at', 'bigint', (column) => column.notNull())
    .addColumn('session_id', 'text', (column) => column.notNull())
    .addColumn('client', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('observation_revisions_key', ['observation_id', 'revision'])
    .execute();
}

/** Relations as Hoofy has them (R-2, R-8 … R-10): ids never reused, no relation twice, gone with either observation. */
async function relations(db: Kysely<unknown>, ddl: Ddl): Promise<void> {
  const end = (name: 'from_id' | 'to_id') => [name, ddl.sequenceType] as const;
  await ddl
    .addSequence(db.schema.createTable('relations'), 'id')
    .addColumn(...end('from_id'), (column) =>
      column.notNull().references('observations.id').onDelete('cascade'),
    )
    .addColumn(...end('to_id'), (column) =>
      column.notNull().references('observations.id').onDelete('cascade'),
    )
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('note', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('session_id', 'text', (column) => column.notNull())
    .addColumn('client', 'text', (column) => column.notNull())
    .addUniqueConstraint('relations_once', ['from_id', 'to_id', 'type'])
    .addCheckConstraint('relations_not_to_itself', sql`from_id <> to_id`)
    .addCheckConstraint('relations_type', sql`length(trim(type)) > 0`)
    .execute();
  // Both walks, out and in, read an index alone.
  await db.schema.createIndex('relations_to').on('relations').columns(['to_id', 'from_id']).execute();
  await db.schema.createIndex('relations_kind').on('relations').column('type').execute();
}
