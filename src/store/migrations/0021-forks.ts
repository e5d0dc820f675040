import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { addIndex } from './columns.ts';

/** Which chains may have been decided twice is asked with each list of a scope (Y-2): few may, and only these are read. */
export const indexForks: Migration = {
  async up(db: Kysely<unknown>) {
    await addIndex(db, 'decisions_forked', 'decisions', ['root_id'], {
      only: '"version" > 1 and "based_on" is distinct from "previous_version_id"',
    });
  },
};
