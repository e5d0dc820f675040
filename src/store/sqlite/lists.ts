import { type RawBuilder, sql } from 'kysely';
import type { Lists } from '../engine.ts';

export const lists: Lists = { numbers: list, texts: list };

/** One parameter whatever the length, so that the statement stays prepared. */
function list<Value extends string | number>(values: Value[]): RawBuilder<{ id: Value }> {
  return sql`select value as id from json_each(${JSON.stringify(values)})`;
}
