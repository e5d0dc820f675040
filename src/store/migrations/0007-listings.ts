import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What a listing by date reads: every table of what the log shows, and when a row of it came about. */
const DATES = {
  decisions: ['created_at', 'seq'],
  outcomes: ['created_at', 'seq'],
  evidence: ['timestamp', 'seq'],
  anchors: ['created_at', 'seq'],
  checkpoints: ['created_at', 'seq'],
  observations: ['created_at', 'seq'],
  observation_revisions: ['replaced_at', 'observation_id', 'revision'],
  memos: ['created_at', 'seq'],
  redactions: ['created_at', 'seq'],
  changes: ['created_at', 'seq'],
};

/** W-6, U-3: a page of a listing begins anywhere at the same cost. U-2: what rests on an observation is found. */
export function createListings(): Migration {
  return {
    async up(db: Kysely<unknown>) {
      for (const [table, columns] of Object.entries(DATES))
        await db.schema.createIndex(`${table}_date`).on(table).columns(columns).execute();
      await db.schema
        .createIndex('evidence_observation')
        .on('evidence')
        .column('observation_id')
        .where(sql.ref('observation_id'), 'is not', null)
        .execute();
    },
  };
}
