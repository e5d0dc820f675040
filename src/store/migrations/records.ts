import { type Kysely, sql } from 'kysely';
import type { Ddl } from '../engine.ts';
import { indexDates, indexUids, nounTable, refersTo, required } from './columns.ts';

/** Who wrote, the list of all records, what changed, and what the memory knows of itself. */
export async function createRecords(db: Kysely<unknown>, ddl: Ddl): Promise<void> {
  await writersAndRecords(db, ddl);
  await redactions(db, ddl);
  await changes(db, ddl);
  await saves(db, ddl);
  await origins(db, ddl);
  await vectors(db, ddl);
  await meta(db);
}

/** K-4: who wrote. D-14: one list of all records, whatever their kind. */
async function writersAndRecords(db: Kysely<unknown>, ddl: Ddl): Promise<void> {
  await ddl
    .addSequence(db.schema.createTable('writers'), 'id')
    .addColumn('author', 'text', required)
    .addColumn('host', 'text', required)
    .addColumn('client', 'text', required)
    .addColumn('session', 'text', required)
    .execute();
  await db.schema.createIndex('writers_session').on('writers').columns(['session', 'client']).execute();
  // Whether several people wrote: the first and the last of their names.
  await db.schema.createIndex('writers_author').on('writers').column('author').execute();

  await ddl
    .addSequence(db.schema.createTable('records'), 'seq')
    .addColumn('kind', 'text', required)
    .addColumn('session', ddl.sequenceType, refersTo('writers.id'))
    .addColumn('writer', ddl.sequenceType, refersTo('writers.id'))
    .addColumn('retracted_at', 'bigint')
    .addColumn('uid', 'text')
    .execute();
  // A search reads the records saved before and after a hit in its session from the index alone (ADR 0070).
  await db.schema
    .createIndex('records_session')
    .on('records')
    .columns(['session', 'seq', 'kind', 'retracted_at'])
    .execute();
  // Mistakes are few, and are looked up by themselves.
  await db.schema
    .createIndex('records_retracted')
    .on('records')
    .column('seq')
    .where(sql.ref('retracted_at'), 'is not', null)
    .execute();
  await indexUids(db, 'records');
}

/** Which records an operator redacted, and when: the text is gone, the fact that it was there is not. */
async function redactions(db: Kysely<unknown>, ddl: Ddl): Promise<void> {
  await nounTable(db, ddl, 'redactions')
    // Not a foreign key: the record may be deleted afterwards.
    .addColumn('record_seq', ddl.sequenceType, required)
    .addColumn('created_at', 'bigint', required)
    .execute();
  await indexDates(db, 'redactions');
}

/** U-5: an append-only list. What changed is a kind and small values, as JSON, never a text. */
async function changes(db: Kysely<unknown>, ddl: Ddl): Promise<void> {
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
  await db.schema.createIndex('changes_record').on('changes').columns(['record_seq', 'seq']).execute();
  await indexDates(db, 'changes');
}

/** K-6: what was saved together. */
async function saves(db: Kysely<unknown>, ddl: Ddl): Promise<void> {
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
}

/** I-1: where records came from. */
async function origins(db: Kysely<unknown>, ddl: Ddl): Promise<void> {
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
    await db.schema.createIndex(`origins_${column}`).on('origins').column(column).execute();
}

/**
 * What records mean, as a model's vectors; each goes with its record. An ordinary table: a memory without a model needs
 * no extension, and stays readable where one is missing.
 */
async function vectors(db: Kysely<unknown>, ddl: Ddl): Promise<void> {
  await db.schema
    .createTable('vectors')
    .addColumn('seq', ddl.sequenceType, (column) =>
      column.primaryKey().references('records.seq').onDelete('cascade'),
    )
    .addColumn('model', 'text', required)
    .addColumn('dimensions', 'integer', required)
    .addColumn('vector', ddl.vectorType, required)
    .execute();
}

/** Facts about the memory itself. */
async function meta(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('meta')
    .addColumn('key', 'text', (column) => column.primaryKey())
    .addColumn('value', 'text', required)
    .execute();
}
