import { type Kysely, sql } from 'kysely';
import type { Ddl } from '../engine.ts';
import { addIndex, indexDates, nounTable, refersTo, required } from './columns.ts';

/** Decisions with their names, edges, outcomes, evidence and anchors; checkpoints. */
export async function createDecisions(db: Kysely<unknown>, ddl: Ddl): Promise<void> {
  await nounTable(db, ddl, 'decisions')
    .addColumn('id', 'text', (column) => column.notNull().unique())
    .addColumn('root_id', 'text', refersTo('decisions.id'))
    .addColumn('version', 'integer', required)
    .addColumn('previous_version', 'integer')
    .addColumn('previous_version_id', 'text')
    .addColumn('topic', 'text')
    .addColumn('text', 'text', required)
    .addColumn('reasoning', 'text')
    .addColumn('strength', 'text', required)
    .addColumn('scope', 'text', required)
    .addColumn('confidence', 'double precision', required)
    .addColumn('is_active', 'integer', required)
    .addColumn('withdrawn', 'integer', required)
    .addColumn('outcome', 'text')
    .addColumn('outcome_reason', 'text')
    .addColumn('created_at', 'bigint', required)
    .addColumn('updated_at', 'bigint', required)
    .addColumn('revisit', 'text')
    .addColumn('files', 'text')
    // Y-6: which version its author saw; null where nobody knows.
    .addColumn('based_on', 'text')
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
  await addIndex(db, 'decisions_one_active', 'decisions', ['root_id'], {
    unique: true,
    only: '"is_active" = 1',
  });
  // D-10, W-6: of a tier only what is shown is read, and counting reads no row.
  await addIndex(db, 'decisions_tier', 'decisions', ['scope', 'strength', 'created_at', 'seq'], {
    only: '"is_active" = 1',
  });
  await addIndex(db, 'decisions_outcomes', 'decisions', ['outcome']);
  await indexDates(db, 'decisions');

  // D-19: a name leads to one chain or scope, and each of these may have several names. The key is the folded name; null
  // where another spelling, saved earlier, has it.
  await db.schema
    .createTable('topics')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('key', 'text', (column) => column.unique())
    .addColumn('root_id', 'text', refersTo('decisions.id'))
    .addColumn('since', 'bigint', required)
    .execute();
  await addIndex(db, 'topics_root', 'topics', ['root_id']);

  await db.schema
    .createTable('scopes')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('key', 'text', (column) => column.unique())
    // The spelling that decisions carry.
    .addColumn('scope', 'text', required)
    .addColumn('since', 'bigint', required)
    .execute();

  // G-8. The primary key is the index on the `from` end.
  await db.schema
    .createTable('decision_edges')
    .addColumn('from_id', 'text', refersTo('decisions.id'))
    .addColumn('to_id', 'text', refersTo('decisions.id'))
    .addColumn('relationship', 'text', required)
    .addColumn('created_at', 'bigint', required)
    .addPrimaryKeyConstraint('decision_edges_key', ['from_id', 'to_id', 'relationship'])
    .addCheckConstraint(
      'decision_edges_relationship',
      sql`relationship in ('supersedes', 'builds_on', 'debates', 'synthesizes')`,
    )
    .addCheckConstraint('decision_edges_not_to_itself', sql`from_id <> to_id`)
    .execute();
  await addIndex(db, 'decision_edges_to', 'decision_edges', ['to_id']);

  // O-7: every outcome ever given; the newest is mirrored in `decisions`.
  await nounTable(db, ddl, 'outcomes')
    .addColumn('decision_id', 'text', refersTo('decisions.id'))
    .addColumn('outcome', 'text', required)
    .addColumn('reason', 'text')
    .addColumn('created_at', 'bigint', required)
    .addCheckConstraint('outcomes_outcome', sql`outcome in ('success', 'failed', 'partial')`)
    .execute();
  await addIndex(db, 'outcomes_decision', 'outcomes', ['decision_id']);
  await indexDates(db, 'outcomes');

  // D-7: evidence without a decision cannot be stored.
  await nounTable(db, ddl, 'evidence')
    .addColumn('id', 'text', (column) => column.notNull().unique())
    .addColumn('decision_ref', 'text', refersTo('decisions.id'))
    .addColumn('content', 'text', required)
    .addColumn('timestamp', 'bigint', required)
    // Not a foreign key: evidence outlives an observation that was deleted for good, and no id comes back.
    .addColumn('observation_id', ddl.sequenceType)
    .execute();
  await addIndex(db, 'evidence_decision', 'evidence', ['decision_ref']);
  // U-2: what depends on an observation is found.
  await addIndex(db, 'evidence_observation', 'evidence', ['observation_id'], {
    only: '"observation_id" is not null',
  });
  await indexDates(db, 'evidence', ['timestamp', 'seq']);

  // D-8: exactly one of two real foreign keys, the one that the type names.
  await nounTable(db, ddl, 'anchors')
    .addColumn('id', 'text', (column) => column.notNull().unique())
    .addColumn('hint', 'text', required)
    .addColumn('type', 'text', required)
    .addColumn('decision_ref', 'text', (column) => column.references('decisions.id'))
    .addColumn('evidence_ref', 'text', (column) => column.references('evidence.id'))
    .addColumn('created_at', 'bigint', required)
    .addCheckConstraint(
      'anchors_target',
      sql`(type = 'decision_link' and decision_ref is not null and evidence_ref is null)
        or (type = 'evidence_link' and evidence_ref is not null and decision_ref is null)`,
    )
    .execute();
  await addIndex(db, 'anchors_decision', 'anchors', ['decision_ref']);
  await addIndex(db, 'anchors_evidence', 'anchors', ['evidence_ref']);
  await indexDates(db, 'anchors');

  await nounTable(db, ddl, 'checkpoints')
    .addColumn('id', 'text', (column) => column.notNull().unique())
    .addColumn('summary', 'text', required)
    .addColumn('next_steps', 'text')
    .addColumn('open_files', 'text', required)
    .addColumn('created_at', 'bigint', required)
    .execute();
  await indexDates(db, 'checkpoints');
}
