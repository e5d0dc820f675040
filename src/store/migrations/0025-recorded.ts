import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { addIndex } from './columns.ts';

/** When something was saved that was given an earlier date (U-7): its save is found by what it made, or by when. */
export const migration: Migration = {
  async up(db: Kysely<unknown>) {
    await addIndex(db, 'saves_date', 'saves', ['created_at']);
    for (const made of ['record', 'change'])
      await addIndex(db, `saves_${made}`, 'saves', [`first_${made}`], {
        only: `"first_${made}" is not null`,
      });
  },
};
