import { sql } from 'kysely';
import type { Lists } from '../engine.ts';

/** One parameter whatever the length. */
export const lists: Lists = {
  numbers: (values) => sql`select unnest(${values}::bigint[]) as id`,
  texts: (values) => sql`select unnest(${values}::text[]) as id`,
};
