import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
  type TransactionSettings,
} from 'kysely';

const CACHED_STATEMENTS = 256;
const CHANGES_COLUMNS = /^\s*(?:alter|drop)\b/i;

/** A check that may refuse a transaction, by throwing. */
export interface Checks {
  /** Before each transaction, and after each that wrote. */
  file(wasWritten: boolean): void;
  /** In each transaction that says what it does, before all else: it sees what the transaction sees. */
  schema(): void;
}

/**
 * Kysely's SQLite dialect over `node:sqlite`: a write transaction takes the write lock when it begins, so that
 * it never has to give up half-way; a read takes one snapshot and no lock. Migrations run in a transaction.
 */
export function nodeSqliteDialect(database: DatabaseSync, checks: Checks): Dialect {
  const config = { database: adapt(database) };
  const dialect = new SqliteDialect(config);
  return {
    createAdapter: () => new TransactionalAdapter(),
    createDriver: () => new ImmediateDriver(config, database, checks),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => dialect.createQueryCompiler(),
  };
}

class TransactionalAdapter extends SqliteAdapter {
  // SQLite's DDL is transactional; Kysely says no only because its own driver takes no lock at BEGIN.
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

class ImmediateDriver extends SqliteDriver implements Driver {
  readonly #checks: Checks;
  readonly #database: DatabaseSync;
  #isWriting = false;

  constructor(config: SqliteDialectConfig, database: DatabaseSync, checks: Checks) {
    super(config);
    this.#database = database;
    this.#checks = checks;
  }

  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await super.commitTransaction(connection);
    // Before the save is acknowledged.
    if (this.#isWriting) this.#checks.file(true);
  }

  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    // A full disk makes SQLite roll back by itself; a second time would hide why.
    if (this.#database.isTransaction) await super.rollbackTransaction(connection);
  }

  override async beginTransaction(
    connection: DatabaseConnection,
    settings: TransactionSettings = {},
  ): Promise<void> {
    this.#checks.file(false);
    this.#isWriting = settings.accessMode !== 'read only';
    await connection.executeQuery(CompiledQuery.raw(this.#isWriting ? 'begin immediate' : 'begin'));
    // Migrations do not say what they do.
    if (settings.accessMode === undefined) return;
    try {
      this.#checks.schema();
    } catch (error) {
      // A transaction that never began is not rolled back.
      await this.rollbackTransaction(connection);
      throw error;
    }
  }
}

/** The interface Kysely expects, which follows better-sqlite3; prepared statements are kept. */
function adapt(database: DatabaseSync): SqliteDatabase {
  const statements = new Map<string, ReturnType<typeof adaptStatement>>();
  return {
    prepare(sql) {
      const known = statements.get(sql);
      if (known) return known;
      // Kept statements name the old columns.
      if (statements.size >= CACHED_STATEMENTS || CHANGES_COLUMNS.test(sql)) statements.clear();
      const statement = adaptStatement(database.prepare(sql));
      statements.set(sql, statement);
      return statement;
    },
    close: () => database.close(),
  };
}

type Parameters = ReadonlyArray<SQLInputValue>;

function adaptStatement(statement: StatementSync) {
  return {
    reader: statement.columns().length > 0,
    all: (parameters: ReadonlyArray<unknown>) => statement.all(...(parameters as Parameters)),
    run: (parameters: ReadonlyArray<unknown>) => statement.run(...(parameters as Parameters)),
    iterate: (parameters: ReadonlyArray<unknown>) => statement.iterate(...(parameters as Parameters)),
  };
}
