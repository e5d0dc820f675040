import { sql } from 'kysely';
import type { Views } from '../engine.ts';
import { SCHEMA } from './rows.ts';

/** The views over the tables of one workspace. */
export const views: Views = {
  table: (name) => sql.id(SCHEMA, name),
  text: (column, name) => sql`(${column}::json ->> ${sql.lit(name)}) collate "C"`,
  number: (column, name) => sql`(${column}::json ->> ${sql.lit(name)})::bigint`,
};
