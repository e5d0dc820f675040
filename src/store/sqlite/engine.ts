import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { PrecedentError, unavailable } from '../../domain/error.ts';
import type { Log } from '../../domain/log.ts';
import { type Db, type Engine, type Migrations, notThere, type Opening } from '../engine.ts';
import { migrations } from '../migrations/migrations.ts';
import { retry } from '../retry.ts';
import { overDialect } from '../statements.ts';
import { removeBefore } from './before-upgrade.ts';
import { nodeSqliteDialect } from './driver.ts';
import { FULL, fault, faultAt, saysFull } from './fault.ts';
import { bytesOf, inodeOf, realLocation, removeFile, requireFile, requireHarmless } from './file.ts';
import { lists } from './lists.ts';
import { checkStillThere, claim, noteOwner } from './log-owner.ts';
import { APPLICATION_ID, ddl, migrate, requireUpToDate, schemaCheck } from './migrate.ts';
import { numbering } from './numbering.ts';
import { requireOwnSchema } from './own-schema.ts';
import { openCopy } from './read-only.ts';
import { Readers } from './readers.ts';
import { scrub } from './scrub.ts';
import { textIndex } from './text-index.ts';
import { upkeep } from './upkeep.ts';
import { vectorIndex } from './vector-index.ts';
import { views } from './views.ts';

/**
 * Milliseconds SQLite itself waits for a lock. It blocks the event loop, so it is short; the store retries
 * asynchronously.
 */
const BUSY_TIMEOUT = 20;
/**
 * Pages that a connection keeps, in KiB: the usual two megabytes hold no search among 100,000 records, which then reads
 * the same pages again and again. Taken only as far as pages are read.
 */
const CACHE_KIB = 64 * 1024;
/** A database that is gone when it is closed. */
const IN_MEMORY = ':memory:';
/** The same, which several connections of this process share under a name of ours. */
const SHARED_IN_MEMORY = /^file:.*\?vfs=memdb$/;

/**
 * Opens a memory in a SQLite file, creating the file, its folder and its tables when they are missing. Where it may not be
 * written, it is read through a copy.
 * @param file a path, or `:memory:`
 * @throws PrecedentError `unavailable` when the file cannot be used; it is left as it was. `not_found` when there is
 *   none and none may be created
 */
export async function openSqlite(file: string, log: Log, opening: Opening = {}): Promise<Engine> {
  const { create = true, isHurried = false, migrations: all = migrations(ddl) } = opening;
  if (file === IN_MEMORY) return openAlone(file, log, all);
  const location = realLocation(file);
  requireFile(location);
  const isNew = !existsSync(location);
  if (!create && isNew) throw notThere(location);
  if (isNew && typeof create === 'function') create();
  try {
    await putAside(location, isNew, log);
    const check = watch(resolve(file), location);
    const engine = await openAlone(location, log, all, { check, isHurried, isKept: true });
    noteOwner(location);
    return engine;
  } catch (error) {
    // Another process may have given it another name since: it is to be found there.
    if (!isNew && !existsSync(location)) return openSqlite(file, log, opening);
    if (isNew && error instanceof PrecedentError && error.reason === 'unsupported') removeFile(location);
    if (isHurried || isNew) throw error;
    return openCopy(location, error, {
      inFile: (copy) => openAlone(copy, log, all),
      inMemory: () => openInMemory(location, log, all),
    });
  }
}

let copies = 0;

/**
 * Opens a copy of a file that takes no place on any disk. The file is locked while it is copied, since SQLite then keeps the
 * index of its log in memory, too.
 */
async function openInMemory(location: string, log: Log, all: Migrations): Promise<Engine> {
  const name = `file:/precedent-${++copies}?vfs=memdb`;
  // It is there for as long as a connection has it open.
  const target = await openDatabase(name);
  try {
    const source = await openDatabase(location);
    try {
      source.exec('pragma locking_mode = exclusive');
      await requireOwnSchema(source, all);
      await retry({ fault: faultAt(location) }, async () => source.exec(`vacuum into '${name}'`), log);
    } finally {
      source.close();
    }
    return await openAlone(name, log, all);
  } finally {
    target.close();
  }
}

/**
 * @param file as it was named: it may be a link, and be replaced by another
 * @returns what refuses work on a file, or on its log, that is no longer the one that was opened
 */
function watch(file: string, location: string): (wasWritten: boolean) => void {
  const opened = inodeOf(location);
  const log = `${location}-wal`;
  let openedLog: number | undefined;
  return (wasWritten) => {
    checkStillThere(file, opened, wasWritten);
    if (openedLog !== undefined) checkStillThere(log, openedLog, wasWritten);
    openedLog ??= inodeOf(log);
  };
}

/**
 * Opens a database without a thought of what else is next to it.
 * @param check as {@link nodeSqliteDialect} has it
 * @param isHurried as {@link Opening} has it
 * @param isKept whether it is kept as it was before it is brought up to date
 */
async function openAlone(
  location: string,
  log: Log,
  all: Migrations,
  { check = (_: boolean) => {}, isHurried = false, isKept = false } = {},
): Promise<Engine> {
  const timeout = isHurried ? 0 : BUSY_TIMEOUT;
  const database = await openDatabase(location, timeout);
  const fault = faultAt(location);
  const opened = [database];
  const over = (each: DatabaseSync) =>
    overDialect(nodeSqliteDialect(each, { file: check, schema: schemaCheck(each, all) }));
  const readers = new Readers(async () => {
    // Says which file is there instead, if it is not the one that was opened.
    check(false);
    const reader = await openDatabase(location, timeout);
    opened.push(reader);
    setUp(reader);
    return over(reader);
  });
  try {
    await retry({ fault }, () => prepare(database, all), log);
    const db = over(database);
    if (isHurried) requireUpToDate(database, all);
    else await migrate(database, db, all, log, isKept ? location : undefined);
    return {
      // A statement runs as long as it takes: there is no server that could be gone, hence no patience to lose.
      transaction({ access }, work) {
        const run = (on: Db) =>
          on
            .transaction()
            .setAccessMode(access === 'read' ? 'read only' : 'read write')
            .execute(work);
        // A memory without a file, or one that a hook asks once, has one connection.
        return access === 'read' && isKept && !isHurried ? readers.use(run) : run(db);
      },
      fault,
      lists,
      text: textIndex(database),
      vectors: vectorIndex(opened),
      numbering,
      upkeep,
      views,
      locate: async () => ({ engine: 'SQLite', location, bytes: bytesOf(location) }),
      scrub: () => {
        if (isKept) removeBefore(location);
        return readers.alone(() => scrub(database, db));
      },
      async close() {
        await readers.close();
        await db.destroy();
        // Kysely does not close a connection that it never used, as where a memory was only read.
        if (database.isOpen) database.close();
      },
    };
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * The database alone, in a file that is there, without bringing it up to date.
 * @throws PrecedentError `not_found` when there is none
 */
export async function openFile(location: string, log: Log): Promise<DatabaseSync> {
  try {
    if (!existsSync(location)) throw notThere(location);
    await putAside(location, false, log);
    return await openDatabase(location);
  } catch (error) {
    throw existsSync(location) ? error : notThere(location);
  }
}

/** Puts aside what another file of its name left next to a file that is about to be opened, and makes it where it may be made. */
async function putAside(location: string, create: boolean, log: Log): Promise<void> {
  try {
    requireHarmless(location);
    const aside = claim(location, create);
    if (aside.length > 0) {
      log(`The log of a file that is no longer there was put aside: ${aside.join(', ')}`, 'error');
    }
  } catch (error) {
    throw cannotOpen(error);
  }
}

async function openDatabase(file: string, timeout = BUSY_TIMEOUT): Promise<DatabaseSync> {
  const sqlite = await importSqlite();
  // SQLite itself makes none: what was renamed or removed a moment ago would be there twice.
  const isNoFile = file === IN_MEMORY || SHARED_IN_MEMORY.test(file);
  const location = isNoFile ? file : `${pathToFileURL(file)}?mode=rw`;
  try {
    const options = { timeout, enableForeignKeyConstraints: true };
    return process.permission
      ? new sqlite.DatabaseSync(location, options)
      : // For sqlite-vec, which is loaded when there is a model, and nothing after it.
        new sqlite.DatabaseSync(location, { ...options, allowExtension: true });
  } catch (error) {
    throw cannotOpen(error);
  }
}

function cannotOpen(cause: unknown): PrecedentError {
  if (cause instanceof PrecedentError) return cause;
  if (saysFull(cause)) return unavailable[FULL.reason](FULL.message, { cause });
  const known = fault(cause);
  if (known.kind === 'unavailable') {
    return unavailable[known.reason](known.message, { cause });
  }
  const why = cause instanceof Error && 'code' in cause ? cause.code : 'unknown reason';
  return unavailable.no_access(
    `The memory file cannot be opened (${why}). Check its folder and permissions.`,
    {
      cause,
    },
  );
}

async function importSqlite() {
  try {
    return await import('node:sqlite');
  } catch (error) {
    throw unavailable.unsupported(`Precedent needs Node 22.18 or newer, found ${process.versions.node}.`, {
      cause: error,
    });
  }
}

/** Sets up the connection, and refuses a file that is not ours alone. Throws `busy` errors while others prepare it. */
async function prepare(database: DatabaseSync, all: Migrations): Promise<void> {
  // Tables before the mark: another process may create both at any moment, and tables without it would look foreign.
  const isEmpty = database.prepare('select count(*) as n from sqlite_master').get()?.n === 0;
  const isOurs = database.prepare('pragma application_id').get()?.application_id === APPLICATION_ID;
  if (!isOurs && !isEmpty)
    throw unavailable.foreign(
      'Expected a memory of Precedent, found another SQLite database; it was left as it is. Name another file as db.',
    );
  // In one snapshot: another process may bring it up to date at any moment.
  database.exec('begin');
  await requireOwnSchema(database, all).finally(() => database.exec('rollback'));
  // An acknowledged save survives a power cut (D-9).
  database.exec('pragma journal_mode = wal');
  setUp(database);
}

/** Applies the settings of every connection. */
function setUp(database: DatabaseSync): void {
  database.exec('pragma synchronous = full');
  // The temporary folder may be full, and a read needs none then (Z-7).
  database.exec('pragma temp_store = memory');
  database.exec(`pragma cache_size = -${CACHE_KIB}`);
  // The first read of the log: here a file system without shared memory fails.
  database.exec('select 1 from sqlite_master limit 1');
}
