import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely';
import type { Ddl } from '../engine.ts';
import { indexDates, indexUids, refersTo, required } from './columns.ts';

/** Observations with their revisions, and the relations between them. */
export async function createObservations(db: Kysely<unknown>, ddl: Ddl): Promise<void> {
  await observations(db, ddl);
  await observationRevisions(db, ddl);
  await relations(db, ddl);
}

async function observations(db: Kysely<unknown>, ddl: Ddl): Promise<void> {
  await ddl
    .addSequence(db.schema.createTable('observations'), 'id')
    .addColumn('seq', ddl.sequenceType, (column) => column.notNull().unique().references('records.seq'))
    .addColumn('title', 'text', required)
    .addColumn('content', 'text', required)
    .addColumn('content_hash', 'text', required)
    .addColumn('type', 'text', required)
    // An empty project is no project: a unique index takes two NULLs for different.
    .addColumn('project', 'text', required)
    .addColumn('scope', 'text', required)
    .addColumn('topic_key', 'text')
    .addColumn('revision_count', 'integer', required)
    .addColumn('duplicate_count', 'integer', required)
    .addColumn('created_at', 'bigint', required)
    .addColumn('updated_at', 'bigint', required)
    .addColumn('last_seen_at', 'bigint', required)
    .addColumn('deleted_at', 'bigint')
    // Who wrote the present text; the list of records has who saved the first one.
    .addColumn('writer', ddl.sequenceType, refersTo('writers.id'))
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
  await indexDates(db, 'observations');
}

/** Each text an observation had before its present one. */
async function observationRevisions(db: Kysely<unknown>, ddl: Ddl): Promise<void> {
  await db.schema
    .createTable('observation_revisions')
    .addColumn('observation_id', ddl.sequenceType, (column) =>
      column.notNull().references('observations.id').onDelete('cascade'),
    )
    .addColumn('revision', 'integer', required)
    .addColumn('title', 'text', required)
    .addColumn('content', 'text', required)
    .addColumn('type', 'text', required)
    .addColumn('replaced_at', 'bigint', required)
    .addColumn('writer', ddl.sequenceType, refersTo('writers.id'))
    .addPrimaryKeyConstraint('observation_revisions_key', ['observation_id', 'revision'])
    .execute();
  await indexDates(db, 'observation_revisions', ['replaced_at', 'observation_id', 'revision']);
}

/** … R-10: ids are never reused, no relation is there twice, and it goes with either observation. */
async function relations(db: Kysely<unknown>, ddl: Ddl): Promise<void> {
  const end = (column: ColumnDefinitionBuilder) =>
    column.notNull().references('observations.id').onDelete('cascade');
  await ddl
    .addSequence(db.schema.createTable('relations'), 'id')
    .addColumn('from_id', ddl.sequenceType, end)
    .addColumn('to_id', ddl.sequenceType, end)
    .addColumn('type', 'text', required)
    .addColumn('note', 'text')
    .addColumn('created_at', 'bigint', required)
    .addColumn('writer', ddl.sequenceType, refersTo('writers.id'))
    .addColumn('uid', 'text')
    .addUniqueConstraint('relations_once', ['from_id', 'to_id', 'type'])
    .addCheckConstraint('relations_not_to_itself', sql`from_id <> to_id`)
    .addCheckConstraint('relations_type', sql`length(trim(type)) > 0`)
    .execute();
  // Both walks, out and in, read an index alone.
  await db.schema.createIndex('relations_to').on('relations').columns(['to_id', 'from_id']).execute();
  await db.schema.createIndex('relations_kind').on('relations').column('type').execute();
  await indexUids(db, 'relations');
}
