import type { Migration } from 'kysely/migration';
import { addIndex } from './columns.ts';

const FORKED = '"version" > 1 and "based_on" is distinct from "previous_version_id"';

/** Few chains may have been decided twice: each list of a scope asks which (Y-2). */
export const migration: Migration = {
  up: (db) => addIndex(db, 'decisions_forked', 'decisions', ['root_id'], { only: FORKED }),
};
