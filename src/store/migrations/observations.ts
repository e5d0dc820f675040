import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely';
import type { Ddl } from '../engine.ts';
import { addIndex, indexDates, indexUids, refersTo, required } from './columns.ts';

/** Observations with their revisions, and the relations between them. */
export async function createObservations(db: Kysely<unknown>, ddl: Ddl): Promise<void> {
  await ddl
    .addSequence(db.schema.createTable('observations'), 'id')
    .addColumn('seq', ddl.sequenceType, (column) => column.notNull().unique().references('records.seq'))
    .addColumn('title', 'text', required)
    .addColumn('content', 'text', required)
    .addColumn('content_hash', 'text', required)
    .addColumn('type', 'text', required)
    // An empty project is not a project: a unique index treats two NULLs as different.
    .addColumn('project', 'text', required)
    .addColumn('scope', 'text', required)
    .addColumn('topic_key', 'text')
    .addColumn('revision_count', 'integer', required)
    .addColumn('duplicate_count', 'integer', required)
    .addColumn('created_at', 'bigint', required)
    .addColumn('updated_at', 'bigint', required)
    .addColumn('last_seen_at', 'bigint', required)
    .addColumn('deleted_at', 'bigint')
    // The writer of the present text; the list of records has that of the first one.
    .addColumn('writer', ddl.sequenceType, refersTo('writers.id'))
    .addCheckConstraint('observations_title', sql`length(trim(title)) > 0`)
    .addCheckConstraint('observations_counts', sql`revision_count >= 0 and duplicate_count >= 0`)
    .execute();
  await addIndex(db, 'observations_topic_key', 'observations', ['project', 'scope', 'topic_key'], {
    unique: true,
    only: '"deleted_at" is null and "topic_key" is not null',
  });
  await addIndex(db, 'observations_content', 'observations', ['content_hash']);
  await indexDates(db, 'observations');

  /** It goes with its observation. */
  const ofObservation = (column: ColumnDefinitionBuilder) =>
    column.notNull().references('observations.id').onDelete('cascade');

  // Each text an observation had before its present one.
  await db.schema
    .createTable('observation_revisions')
    .addColumn('observation_id', ddl.sequenceType, ofObservation)
    .addColumn('revision', 'integer', required)
    .addColumn('title', 'text', required)
    .addColumn('content', 'text', required)
    .addColumn('type', 'text', required)
    .addColumn('replaced_at', 'bigint', required)
    .addColumn('writer', ddl.sequenceType, refersTo('writers.id'))
    .addPrimaryKeyConstraint('observation_revisions_key', ['observation_id', 'revision'])
    .execute();
  await indexDates(db, 'observation_revisions', ['replaced_at', 'observation_id', 'revision']);

  // … R-10: ids are never reused, no relation is there twice, and it goes with either observation.
  await ddl
    .addSequence(db.schema.createTable('relations'), 'id')
    .addColumn('from_id', ddl.sequenceType, ofObservation)
    .addColumn('to_id', ddl.sequenceType, ofObservation)
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
  await addIndex(db, 'relations_to', 'relations', ['to_id', 'from_id']);
  await addIndex(db, 'relations_kind', 'relations', ['type']);
  await indexUids(db, 'relations');
}
