import type { DatabaseSync } from 'node:sqlite';
import { unavailable } from '../../domain/error.ts';
import type { Migrations } from '../engine.ts';
import { isUpToDate } from '../migrations/migrations.ts';
import { overDialect } from '../statements.ts';
import { nodeSqliteDialect } from './driver.ts';
import { appliedMigrations, migrate } from './migrate.ts';
import { NEWEST } from './newest-schema.ts';

/*
 * A file with our mark may come from a stranger (Z-11). A view in the place of a table, a trigger, a check, a computed column
 * or an index of an expression runs what the stranger wrote, so a memory may have only statements that our migrations leave
 * in its schema. Those of the newest version are known; for an older memory they are made once more, in RAM.
 */

/** How Kysely makes its table. It is read before the rest is known. */
const LIST_OF_MIGRATIONS =
  'CREATE TABLE "kysely_migration" ("name" varchar(255) not null primary key, "timestamp" varchar(255) not null)';
/** The table that the first migration left before it was edited; 0020-chains drops it. */
const LEFT_BEFORE = 'CREATE TABLE search_chains (seq integer primary key, chain integer not null)';
/** How many things a refusal names, and characters of each name. */
const NAMED = { things: 5, characters: 60 };

/** The schema after SQLite has opened the database: objects that its statements do not make are not there. */
export function schemaOf(database: DatabaseSync): { type: string; name: string; sql: string }[] {
  const [type, name, sql] = ['type', 'name', 'sql'].map((column) => `cast(${column} as text) as ${column}`);
  const rows = database.prepare(
    `select ${type}, ${name}, ${sql} from sqlite_schema where sql is not null order by 3`,
  );
  return rows.all() as ReturnType<typeof schemaOf>;
}

/**
 * Refuses a database that has anything but what our migrations make. Less than that is damage, and found elsewhere.
 * @param all the migrations that this program knows
 * @throws PrecedentError `unavailable`, naming what is there; also for a memory of a newer version
 */
export async function requireOwnSchema(database: DatabaseSync, all: Migrations): Promise<void> {
  const found = schemaOf(database).filter(({ sql }) => !NEWEST.has(sql));
  if (found.length === 0) return;
  const known = await knownTo(database, all);
  const strange = found.filter(({ sql }) => !known.has(sql));
  if (strange.length === 0) return;
  const names = strange
    .slice(0, NAMED.things)
    .map(({ type, name }) => `the ${type} ${JSON.stringify(name.slice(0, NAMED.characters))}`);
  throw unavailable.altered(
    `Expected only what Precedent makes in the memory file, found ${names.join(', ')} made by others. Nothing was changed. Do not use a memory that somebody else prepared; if you made this yourself, drop it and try again.`,
  );
}

/** The statements of a memory that has as many migrations. */
async function knownTo(database: DatabaseSync, all: Migrations): Promise<Set<string>> {
  if (!schemaOf(database).some(({ sql }) => sql === LIST_OF_MIGRATIONS)) return new Set();
  const applied = appliedMigrations(database);
  isUpToDate(applied, all);
  const { DatabaseSync: Database } = process.getBuiltinModule('node:sqlite');
  const made = new Database(':memory:');
  try {
    const db = overDialect(nodeSqliteDialect(made, { file: () => {}, schema: () => {} }));
    await migrate(made, db, Object.fromEntries(Object.entries(all).slice(0, applied.length)), () => {});
    return new Set([...schemaOf(made).map(({ sql }) => sql), LEFT_BEFORE]);
  } finally {
    made.close();
  }
}
