import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Ddl } from '../engine.ts';

/** What records mean, as a model's vectors; gone with its record. */
export function createVectors(ddl: Ddl): Migration {
  return { up: (db: Kysely<unknown>) => ddl.createVectors(db) };
}
