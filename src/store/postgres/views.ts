import { sql } from 'kysely';
import type { Views } from '../engine.ts';

/** The views over the tables of one workspace. */
export function viewsOver(workspace: string): Views {
  return {
    table: (name) => sql.id(workspace, name),
    text: (column, name) => sql`(${column}::json ->> ${sql.lit(name)}) collate "C"`,
    number: (column, name) => sql`(${column}::json ->> ${sql.lit(name)})::bigint`,
  };
}
