import type { Kysely } from 'kysely';
import type { Ddl } from '../engine.ts';
import { addIndex, indexDates, indexUids, nounTable, refersTo, required } from './columns.ts';

/** Writers, the list of all records, changes, and what the memory knows of itself. */
export async function createRecords(db: Kysely<unknown>, ddl: Ddl): Promise<void> {
  // K-4: who wrote. D-14: one list of all records, whatever their kind.
  await ddl
    .addSequence(db.schema.createTable('writers'), 'id')
    .addColumn('author', 'text', required)
    .addColumn('host', 'text', required)
    .addColumn('client', 'text', required)
    .addColumn('session', 'text', required)
    .execute();
  await addIndex(db, 'writers_session', 'writers', ['session', 'client']);
  // Whether several people wrote: the first and the last of their names.
  await addIndex(db, 'writers_author', 'writers', ['author']);

  await ddl
    .addSequence(db.schema.createTable('records'), 'seq')
    .addColumn('kind', 'text', required)
    .addColumn('session', ddl.sequenceType, refersTo('writers.id'))
    .addColumn('writer', ddl.sequenceType, refersTo('writers.id'))
    .addColumn('retracted_at', 'bigint')
    .addColumn('uid', 'text')
    .execute();
  // A search reads the records saved before and after a hit in its session from the index alone (ADR 0070).
  await addIndex(db, 'records_session', 'records', ['session', 'seq', 'kind', 'retracted_at']);
  // Mistakes are few, and are looked up by themselves.
  await addIndex(db, 'records_retracted', 'records', ['seq'], { only: '"retracted_at" is not null' });
  await indexUids(db, 'records');

  // Which records an operator redacted, and when: the text is gone, the fact that it was there is not.
  await nounTable(db, ddl, 'redactions')
    // Not a foreign key: the record may be deleted afterwards.
    .addColumn('record_seq', ddl.sequenceType, required)
    .addColumn('created_at', 'bigint', required)
    .execute();
  await indexDates(db, 'redactions');

  // U-5: an append-only list. A change is a kind and small values, as JSON, never a text.
  await ddl
    .addSequence(db.schema.createTable('changes'), 'seq')
    // Not a foreign key: an observation may be deleted for good, and the change says so.
    .addColumn('record_seq', ddl.sequenceType)
    .addColumn('kind', 'text', required)
    .addColumn('before', 'text')
    .addColumn('after', 'text')
    .addColumn('created_at', 'bigint', required)
    .addColumn('writer', ddl.sequenceType, refersTo('writers.id'))
    .execute();
  await addIndex(db, 'changes_record', 'changes', ['record_seq', 'seq']);
  await indexDates(db, 'changes');

  // K-6: what was saved together.
  await ddl
    .addSequence(db.schema.createTable('saves'), 'id')
    .addColumn('writer', ddl.sequenceType, refersTo('writers.id'))
    .addColumn('created_at', 'bigint', required)
    // Not foreign keys: a record may be deleted afterwards.
    .addColumn('first_record', ddl.sequenceType)
    .addColumn('last_record', ddl.sequenceType)
    .addColumn('first_change', ddl.sequenceType)
    .addColumn('last_change', ddl.sequenceType)
    .addColumn('undoes', ddl.sequenceType, (column) => column.unique().references('saves.id'))
    .execute();

  // I-1: where records came from.
  await db.schema
    .createTable('origins')
    .addColumn('source', 'text', required)
    .addColumn('key', 'text', required)
    // Not foreign keys: what came may be deleted here, and does not come again.
    .addColumn('record_seq', ddl.sequenceType)
    .addColumn('relation_id', ddl.sequenceType)
    .addColumn('hash', 'text', required)
    .addColumn('written', 'text', required)
    .addColumn('rest', 'text')
    .addPrimaryKeyConstraint('origins_key', ['source', 'key'])
    .execute();
  for (const column of ['record_seq', 'relation_id'])
    await addIndex(db, `origins_${column}`, 'origins', [column]);

  // Vectors of records, by model; each goes with its record. An ordinary table: a memory without a model needs
  // no extension, and stays readable where one is missing.
  await db.schema
    .createTable('vectors')
    .addColumn('seq', ddl.sequenceType, (column) =>
      column.primaryKey().references('records.seq').onDelete('cascade'),
    )
    .addColumn('model', 'text', required)
    .addColumn('dimensions', 'integer', required)
    .addColumn('vector', ddl.vectorType, required)
    .execute();

  // Facts about the memory itself.
  await db.schema
    .createTable('meta')
    .addColumn('key', 'text', (column) => column.primaryKey())
    .addColumn('value', 'text', required)
    .execute();
}
