import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { addIndex } from './columns.ts';

/** Which decisions are due is asked at the start of each session (V-5): few have a day, and only these are read. */
export const migration: Migration = {
  async up(db: Kysely<unknown>) {
    await addIndex(db, 'decisions_revisit', 'decisions', ['revisit'], {
      only: '"is_active" = 1 and "revisit" is not null',
    });
  },
};
