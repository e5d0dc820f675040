import { resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { CamelCasePlugin, type CreateTableBuilder, Kysely, type RawBuilder, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { PrecedentError } from '../../domain/error.ts';
import type { Log } from '../../domain/log.ts';
import type { Ddl, Engine, Migrations, Numbering } from '../engine.ts';
import { isUpToDate, migrations } from '../migrations/migrations.ts';
import { retry } from '../retry.ts';
import type { Schema } from '../schema.ts';
import { nodeSqliteDialect } from './driver.ts';
import { fault } from './fault.ts';
import { bytesOf, checkStillThere, createPrivately, identityOf } from './file.ts';
import { createTextIndex, textIndex } from './text-index.ts';
import { vectorIndex } from './vector-index.ts';

/** "PRCD": tells a memory from any other SQLite file. */
const APPLICATION_ID = 0x50524344;
/**
 * Milliseconds SQLite itself waits for a lock. It blocks the event loop, so it is short; the store retries
 * asynchronously.
 */
const BUSY_TIMEOUT = 20;

/** Milliseconds to wait until nobody reads what is being taken off the disk. */
const SCRUBBING = 3_000;

export const ddl: Ddl = {
  sequenceType: 'integer',
  vectorType: 'blob',
  addSequence: <T extends string>(table: CreateTableBuilder<T>, column: string) =>
    table.addColumn(column, 'integer', (col) => col.primaryKey().autoIncrement()) as CreateTableBuilder<T>,
  createTextIndex,
};

/**
 * Opens a memory in a SQLite file, making the file, its folder and its tables when they are missing.
 * @param file a path, or `:memory:`
 * @param all other migrations than ours, for tests
 * @throws PrecedentError `unavailable` when the file cannot be used; it is left as it was
 */
export async function openSqlite(file: string, log: Log, all: Migrations = migrations(ddl)): Promise<Engine> {
  const location = file === ':memory:' ? file : resolve(file);
  const database = await openDatabase(location);
  try {
    await retry({ fault }, async () => prepare(database), log);
    const identity = identityOf(location);
    const db = new Kysely<Schema>({
      dialect: nodeSqliteDialect(database, () => checkStillThere(location, identity)),
      plugins: [new CamelCasePlugin()],
    });
    await migrate(database, db, all, log);
    return {
      db,
      text: textIndex,
      vectors: vectorIndex(database),
      numbering,
      list,
      listOfTexts: list,
      settle: async () => {},
      fault,
      inspect: async () => ({ engine: 'SQLite', location, bytes: bytesOf(location) }),
      integrity: async () => integrity(database),
      reindex: async (tx) => void (await sql`reindex`.execute(tx)),
      scrub: async () => scrub(database, db),
      close: () => db.destroy(),
    };
  } catch (error) {
    database.close();
    throw error;
  }
}

function list<Key extends string | number>(ids: Key[]): RawBuilder<{ id: Key }> {
  return sql`select value as id from json_each(${JSON.stringify(ids)})`;
}

const numbering: Numbering = {
  async last(db, table) {
    const found = await sql<{ seq: number }>`select seq from sqlite_sequence where name = ${table}`.execute(
      db,
    );
    return found.rows[0]?.seq ?? 0;
  },
  async raise(db, table, to) {
    if (to <= (await numbering.last(db, table))) return;
    // The table of these has no key to be updated by.
    await sql`delete from sqlite_sequence where name = ${table}`.execute(db);
    await sql`insert into sqlite_sequence (name, seq) values (${table}, ${to})`.execute(db);
  },
};

async function openDatabase(location: string): Promise<DatabaseSync> {
  const sqlite = await importSqlite();
  try {
    if (location !== ':memory:') createPrivately(location);
    const options = { timeout: BUSY_TIMEOUT, enableForeignKeyConstraints: true };
    return process.permission
      ? new sqlite.DatabaseSync(location, options)
      : // For sqlite-vec, which is loaded when there is a model, and nothing after it.
        new sqlite.DatabaseSync(location, { ...options, allowExtension: true });
  } catch (error) {
    const known = fault(error);
    const { message, reason = undefined } =
      known.kind === 'unavailable'
        ? known
        : {
            message: `The memory file cannot be opened (${error instanceof Error && 'code' in error ? error.code : 'unknown reason'}). Check its folder and permissions.`,
          };
    throw new PrecedentError('unavailable', message, { cause: error, reason });
  }
}

async function importSqlite() {
  try {
    return await import('node:sqlite');
  } catch (error) {
    throw new PrecedentError(
      'unavailable',
      `Precedent needs Node 22.18 or newer, found ${process.versions.node}.`,
      { cause: error },
    );
  }
}

/** Settings of the connection, and a look at whose file this is. Throws `busy` errors while others prepare it. */
function prepare(database: DatabaseSync): void {
  // In this order: who finds tables that another process has just made finds its mark, set in the same transaction.
  const isEmpty = database.prepare('select count(*) as n from sqlite_master').get()?.n === 0;
  const isOurs = pragma(database, 'application_id') === APPLICATION_ID;
  if (!isOurs && !isEmpty) {
    throw new PrecedentError(
      'unavailable',
      'Expected a memory of Precedent, found another SQLite database; it was left as it is. Choose another file with --db.',
      { reason: 'foreign' },
    );
  }
  // What was acknowledged survives a power cut (D-9).
  database.exec('pragma journal_mode = wal');
  database.exec('pragma synchronous = full');
}

/**
 * Brings the schema up to date. Everything runs in one transaction that holds the write lock from its start, so
 * that thirty processes may open a new file at once; foreign keys are off meanwhile, since rebuilding a table
 * would else cascade its children away, and are checked before the end.
 */
async function migrate(database: DatabaseSync, db: Kysely<Schema>, all: Migrations, log: Log): Promise<void> {
  const applied = appliedMigrations(database);
  if (isUpToDate(applied, all)) return;
  database.exec('pragma foreign_keys = off');
  try {
    await retry({ fault }, () => migrateInOneTransaction(database, db, all), log);
  } finally {
    database.exec('pragma foreign_keys = on');
  }
}

async function migrateInOneTransaction(database: DatabaseSync, db: Kysely<Schema>, all: Migrations) {
  await db
    .withoutPlugins()
    .transaction()
    .execute(async (transaction) => {
      const numbered = sequences(database);
      const migrator = new Migrator({ db: transaction, provider: { getMigrations: async () => all } });
      const { error } = await migrator.migrateToLatest();
      if (error) throw error;
      keepSequences(database, numbered);
      database.exec(`pragma application_id = ${APPLICATION_ID}`);
      const broken = database.prepare('pragma foreign_key_check').all();
      if (broken.length > 0) throw new Error(`the migration broke ${broken.length} foreign keys`);
    });
}

/** How far each automatically numbered table has counted. */
function sequences(database: DatabaseSync): Map<string, number> {
  const exists = database.prepare("select 1 from sqlite_master where name = 'sqlite_sequence'").get();
  const rows = exists ? database.prepare('select name, seq from sqlite_sequence').all() : [];
  return new Map(rows.map((row) => [String(row.name), Number(row.seq)]));
}

/** A table that was rebuilt counts on from where it was: else the number of a deleted row would come back. */
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

function appliedMigrations(database: DatabaseSync): string[] {
  const table = database.prepare("select 1 from sqlite_master where name = 'kysely_migration'").get();
  if (!table) return [];
  const rows = database.prepare('select name from kysely_migration order by name').all();
  return rows.map((row) => String(row.name));
}

function pragma(database: DatabaseSync, name: string): unknown {
  return database.prepare(`pragma ${name}`).get()?.[name];
}

/** Free pages, the text index's own leftovers and the log all hold what was there before. */
async function scrub(database: DatabaseSync, db: Kysely<Schema>): Promise<boolean> {
  // Through the one connection that transactions take turns on.
  return db.connection().execute(async () => {
    database.exec("insert into search_text (search_text) values ('optimize')");
    database.exec('vacuum');
    // A reader elsewhere keeps the log as it is.
    const deadline = performance.now() + SCRUBBING;
    for (;;) {
      if (database.prepare('pragma wal_checkpoint(truncate)').get()?.busy === 0) return true;
      if (performance.now() > deadline) return false;
      await sleep(100);
    }
  });
}

function integrity(database: DatabaseSync): string[] {
  const found = database.prepare('pragma integrity_check').all();
  const lines = found.map((row) => String(row.integrity_check)).filter((line) => line !== 'ok');
  const broken = database.prepare('pragma foreign_key_check').all();
  return [...lines, ...broken.map((row) => `a row of ${row.table} refers to a missing row of ${row.parent}`)];
}
