import { type RawBuilder, sql } from 'kysely';
import type { Views } from '../engine.ts';

/** The database that a connection opens has this name in it. */
const OPENED = 'main';

export const views: Views = { table: (name) => sql.id(OPENED, name), text: valueIn, number: valueIn };

/** A value has the type that it has in the object. */
function valueIn<Value>(column: RawBuilder<unknown>, name: string): RawBuilder<Value> {
  return sql`json_extract(${column}, ${sql.lit(`$.${name}`)})`;
}
