import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { CreateTableBuilder } from 'kysely';
import { Migrator } from 'kysely/migration';
import type { Log } from '../../domain/log.ts';
import type { Db, Ddl, Migrations } from '../engine.ts';
import { checkUnchanged, isUpToDate, outdated } from '../migrations/migrations.ts';
import { retry } from '../retry.ts';
import { INDEX_VERSION } from '../stale.ts';
import { keepBefore } from './before-upgrade.ts';
import { fault } from './fault.ts';
import { createTextIndex } from './text-index.ts';

/** "PRCD": tells a memory from any other SQLite file. */
export const APPLICATION_ID = 0x50524344;

export const ddl: Ddl = {
  sequenceType: 'integer',
  vectorType: 'blob',
  addSequence: <T extends string>(table: CreateTableBuilder<T>, column: string) =>
    table.addColumn(column, 'integer', (col) => col.primaryKey().autoIncrement()) as CreateTableBuilder<T>,
  createTextIndex,
};

/**
 * Brings the schema up to date. Everything runs in one transaction that holds the write lock from its start, so
 * that thirty processes may open a new file at once; foreign keys are off meanwhile, since rebuilding a table
 * would else cascade its children away, and are checked before the end.
 * @param location the file, where it may be kept as it was
 */
export async function migrate(
  database: DatabaseSync,
  db: Db,
  all: Migrations,
  log: Log,
  location?: string,
): Promise<void> {
  const applied = appliedMigrations(database);
  if (isUpToDate(applied, all)) return;
  const [first] = Object.keys(all).filter((name) => !applied.includes(name));
  if (location && applied.length > 0 && first) keepBefore(database, location, first, log);
  database.exec('pragma foreign_keys = off');
  try {
    await retry({ fault }, () => migrateInOneTransaction(database, db, all), log);
  } finally {
    database.exec('pragma foreign_keys = on');
  }
}

/** @throws PrecedentError `unavailable` for a memory that another version made */
export function requireUpToDate(database: DatabaseSync, all: Migrations): void {
  if (!isUpToDate(appliedMigrations(database), all)) throw outdated();
}

async function migrateInOneTransaction(database: DatabaseSync, db: Db, all: Migrations): Promise<void> {
  await db
    .withoutPlugins()
    .transaction()
    .execute(async (transaction) => {
      const isNew = appliedMigrations(database).length === 0;
      const numbered = sequences(database);
      const migrator = new Migrator({ db: transaction, provider: { getMigrations: async () => inOne(all) } });
      const { error } = await migrator.migrateToLatest();
      if (error) throw error;
      if (isNew) database.prepare("insert into meta (key, value) values ('analysis', ?)").run(INDEX_VERSION);
      keepSequences(database, numbered);
      database.exec(`pragma application_id = ${APPLICATION_ID}`);
      const broken = database.prepare('pragma foreign_key_check').all();
      if (broken.length > 0) throw new Error(`the migration broke ${broken.length} foreign keys`);
    });
}

/** A file is one memory: what changes its tables and what changes its rows run one after the other. */
function inOne(all: Migrations): Migrations {
  const both = ({ up, rows }: Migrations[string]) => ({
    up: async (db: Db) => {
      await up(db);
      await rows?.(db);
    },
  });
  return Object.fromEntries(Object.entries(all).map(([name, each]) => [name, both(each)]));
}

/** How far each automatically numbered table has counted. */
function sequences(database: DatabaseSync): Map<string, number> {
  const exists = database.prepare("select 1 from sqlite_master where name = 'sqlite_sequence'").get();
  const rows = exists ? database.prepare('select name, seq from sqlite_sequence').all() : [];
  return new Map(rows.map((row) => [String(row.name), Number(row.seq)]));
}

/** A table that was rebuilt continues from where it was: else the number of a deleted row would come back. */
function keepSequences(database: DatabaseSync, before: Map<string, number>): void {
  if (before.size === 0) return;
  const raise = database.prepare('update sqlite_sequence set seq = max(seq, ?) where name = ?');
  const enter = database.prepare(
    `insert into sqlite_sequence (name, seq) select ?, ? where not exists
      (select 1 from sqlite_sequence where name = ?) and exists (select 1 from sqlite_master where name = ?)`,
  );
  for (const [name, seq] of before) {
    raise.run(seq, name);
    enter.run(name, seq, name, name);
  }
}

/** @returns what asks whether the memory still has these migrations and no other, as {@link checkUnchanged} */
export function schemaCheck(database: DatabaseSync, all: Migrations): () => void {
  let newest: StatementSync | undefined;
  return () => {
    newest ??= database.prepare('select max(name) as name from kysely_migration');
    checkUnchanged((newest.get()?.name ?? undefined) as string | undefined, all);
  };
}

/** The names of the migrations that a memory has, in order. */
export function appliedMigrations(database: DatabaseSync): string[] {
  const table = database.prepare("select 1 from sqlite_master where name = 'kysely_migration'").get();
  if (!table) return [];
  const rows = database.prepare('select name from kysely_migration order by name').all();
  return rows.map((row) => String(row.name));
}
