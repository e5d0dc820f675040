import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Ddl } from '../engine.ts';

/** Decisions, their edges, outcomes, evidence and anchors; checkpoints; who wrote what; the text index. */
export function createDecisions(ddl: Ddl): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await records(db, ddl);
      await decisions(db, ddl);
      await decisionEdges(db);
      await outcomes(db, ddl);
      await evidence(db, ddl);
      await anchors(db, ddl);
      await checkpoints(db, ddl);
      await db.schema
        .createTable('meta')
        .addColumn('key', 'text', (column) => column.primaryKey())
        .addColumn('value', 'text', (column) => column.notNull())
        .execute();
      await ddl.createTextIndex(db);
    },
  };
}

async function records(db: Kysely<unknown>, ddl: Ddl): Promise<void> {
  await ddl
    .addSequence(db.schema.createTable('records'), 'seq')
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('session_id', 'text', (column) => column.notNull())
    .addColumn('client', 'text', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('records_session').on('records').columns(['session_id', 'seq']).execute();
}

/** A noun's table, whose `seq` is its row in `records`. */
function nounTable(db: Kysely<unknown>, ddl: Ddl, name: string) {
  return db.schema
    .createTable(name)
    .addColumn('seq', ddl.sequenceType, (column) => column.primaryKey().references('records.seq'));
}

async function decisions(db: Kysely<unknown>, ddl: Ddl): Promise<void> {
  await nounTable(db, ddl, 'decisions')
    .addColumn('id', 'text', (column) => column.notNull().unique())
    .addColumn('root_id', 'text', (column) => column.notNull().references('decisions.id'))
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('previous_version', 'integer')
    .addColumn('previous_version_id', 'text')
    .addColumn('topic', 'text')
    .addColumn('text', 'text', (column) => column.notNull())
    .addColumn('reasoning', 'text')
    .addColumn('strength', 'text', (column) => column.notNull())
    .addColumn('scope', 'text', (column) => column.notNull())
    .addColumn('confidence', 'double precision', (column) => column.notNull())
    .addColumn('is_active', 'integer', (column) => column.notNull())
    .addColumn('withdrawn', 'integer', (column) => column.notNull())
    .addColumn('outcome', 'text')
    .addColumn('outcome_reason', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    // D-2, D-3, D-4: a chain starts with itself, and each version follows the one directly before it.
    .addUniqueConstraint('decisions_version', ['root_id', 'version'])
    .addUniqueConstraint('decisions_version_id', ['root_id', 'version', 'id'])
    .addCheckConstraint('decisions_first_is_root', sql`(version = 1) = (root_id = id)`)
    .addCheckConstraint('decisions_first_has_none', sql`(version = 1) = (previous_version_id is null)`)
    .addCheckConstraint(
      'decisions_previous',
      sql`version >= 1 and coalesce(previous_version, 0) = version - 1 and (version > 1 or previous_version is null)`,
    )
    .addForeignKeyConstraint(
      'decisions_previous_version',
      ['root_id', 'previous_version', 'previous_version_id'],
      'decisions',
      ['root_id', 'version', 'id'],
    )
    .addCheckConstraint('decisions_text', sql`length(trim(text)) > 0`)
    .addCheckConstraint('decisions_strength', sql`strength in ('axis', 'lock', 'normal')`)
    .addCheckConstraint('decisions_confidence', sql`confidence between 0 and 1`)
    .addCheckConstraint('decisions_outcome', sql`outcome in ('success', 'failed', 'partial')`)
    .addCheckConstraint('decisions_is_active', sql`is_active in (0, 1)`)
    // D-15: a withdrawal is a later version, and never an active one.
    .addCheckConstraint(
      'decisions_withdrawn',
      sql`withdrawn in (0, 1) and (withdrawn = 0 or (is_active = 0 and version > 1))`,
    )
    .execute();
  const index = (name: string) => db.schema.createIndex(name).on('decisions');
  await index('decisions_one_active')
    .unique()
    .column('root_id')
    .where(sql.ref('is_active'), '=', sql.lit(1))
    .execute();
  await index('decisions_one_active_topic')
    .unique()
    .column('topic')
    .where(sql.ref('is_active'), '=', sql.lit(1))
    .execute();
  await index('decisions_one_chain_per_topic')
    .unique()
    .column('topic')
    .where(sql.ref('version'), '=', sql.lit(1))
    .execute();
  await index('decisions_tier')
    .columns(['scope', 'strength'])
    .where(sql.ref('is_active'), '=', sql.lit(1))
    .execute();
  await index('decisions_outcomes').column('outcome').execute();
}

/** G-8. The primary key is the index on the `from` end. */
async function decisionEdges(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('decision_edges')
    .addColumn('from_id', 'text', (column) => column.notNull().references('decisions.id'))
    .addColumn('to_id', 'text', (column) => column.notNull().references('decisions.id'))
    .addColumn('relationship', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('decision_edges_key', ['from_id', 'to_id', 'relationship'])
    .addCheckConstraint(
      'decision_edges_relationship',
      sql`relationship in ('supersedes', 'builds_on', 'debates', 'synthesizes')`,
    )
    .addCheckConstraint('decision_edges_not_to_itself', sql`from_id <> to_id`)
    .execute();
  await db.schema.createIndex('decision_edges_to').on('decision_edges').column('to_id').execute();
}

/** O-7: every outcome ever given; the newest is mirrored in `decisions`. */
async function outcomes(db: Kysely<unknown>, ddl: Ddl): Promise<void> {
  await nounTable(db, ddl, 'outcomes')
    .addColumn('decision_id', 'text', (column) => column.notNull().references('decisions.id'))
    .addColumn('outcome', 'text', (column) => column.notNull())
    .addColumn('reason', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addCheckConstraint('outcomes_outcome', sql`outcome in ('success', 'failed', 'partial')`)
    .execute();
  await db.schema.createIndex('outcomes_decision').on('outcomes').column('decision_id').execute();
}

/** D-7: evidence without a decision cannot be stored. */
async function evidence(db: Kysely<unknown>, ddl: Ddl): Promise<void> {
  await nounTable(db, ddl, 'evidence')
    .addColumn('id', 'text', (column) => column.notNull().unique())
    .addColumn('decision_ref', 'text', (column) => column.notNull().references('decisions.id'))
    .addColumn('content', 'text', (column) => column.notNull())
    .addColumn('timestamp', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('evidence_decision').on('evidence').column('decision_ref').execute();
}

/** D-8: exactly one of two real foreign keys, the one that the type names. */
async function anchors(db: Kysely<unknown>, ddl: Ddl): Promise<void> {
  await nounTable(db, ddl, 'anchors')
    .addColumn('id', 'text', (column) => column.notNull().unique())
    .addColumn('hint', 'text', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('decision_ref', 'text', (column) => column.references('decisions.id'))
    .addColumn('evidence_ref', 'text', (column) => column.references('evidence.id'))
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addCheckConstraint(
      'anchors_target',
      sql`(type = 'decision_link' and decision_ref is not null and evidence_ref is null)
        or (type = 'evidence_link' and evidence_ref is not null and decision_ref is null)`,
    )
    .execute();
  await db.schema.createIndex('anchors_decision').on('anchors').column('decision_ref').execute();
  await db.schema.createIndex('anchors_evidence').on('anchors').column('evidence_ref').execute();
}

async function checkpoints(db: Kysely<unknown>, ddl: Ddl): Promise<void> {
  await nounTable(db, ddl, 'checkpoints')
    .addColumn('id', 'text', (column) => column.notNull().unique())
    .addColumn('summary', 'text', (column) => column.notNull())
    .addColumn('next_steps', 'text')
    .addColumn('open_files', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
}
