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

/**
 * Kysely's SQLite dialect over `node:sqlite`: a write transaction takes the write lock when it begins, so that
 * it never has to give up half-way; a read takes one snapshot and no lock. Migrations run in a transaction.
 * @param beforeTransaction may refuse by throwing
 */
export function nodeSqliteDialect(database: DatabaseSync, beforeTransaction: () => void): Dialect {
  const config = { database: adapt(database) };
  const dialect = new SqliteDialect(config);
  return {
    createAdapter: () => new TransactionalAdapter(),
    createDriver: () => new ImmediateDriver(config, database, beforeTransaction),
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
  readonly #beforeTransaction: () => void;

  readonly #database: DatabaseSync;

  constructor(config: SqliteDialectConfig, database: DatabaseSync, beforeTransaction: () => void) {
    super(config);
    this.#database = database;
    this.#beforeTransaction = beforeTransaction;
  }

  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    // A full disk makes SQLite roll back by itself; a second time would hide why.
    if (this.#database.isTransaction) await super.rollbackTransaction(connection);
  }

  override async beginTransaction(
    connection: DatabaseConnection,
    settings: TransactionSettings = {},
  ): Promise<void> {
    this.#beforeTransaction();
    const begin = settings.accessMode === 'read only' ? 'begin' : 'begin immediate';
    await connection.executeQuery(CompiledQuery.raw(begin));
  }
}

/** The interface Kysely expects, which follows better-sqlite3; prepared statements are kept. */
function adapt(database: DatabaseSync): SqliteDatabase {
  const statements = new Map<string, ReturnType<typeof adaptStatement>>();
  return {
    prepare(sql) {
      const known = statements.get(sql);
      if (known) return known;
      if (statements.size >= CACHED_STATEMENTS) statements.clear();
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
