import { type ConnectionProvider, type Dialect, DummyDriver, Kysely } from 'kysely';
import type { Db } from './engine.ts';
import type { Schema } from './schema.ts';

/**
 * The answers to statements that need not wait for each other: one round trip where the database is on a server (P-10).
 * All of them have ended when this does, so that none runs on in a transaction that is rolled back.
 * @throws the error of the first that failed: those behind it fail only because it did
 */
export async function together<T extends readonly unknown[]>(
  ...sent: { [K in keyof T]: Promise<T[K]> | T[K] }
): Promise<T> {
  const ended = await Promise.allSettled(sent);
  return ended.map((each) => {
    if (each.status === 'rejected') throw each.reason;
    return each.value;
  }) as unknown as T;
}

/** The same transaction, whose statements go another way to the database. */
export function through(db: Db, connections: ConnectionProvider): Db {
  return new Kysely<Schema>({ ...UNUSED, executor: db.getExecutor().withConnectionProvider(connections) });
}

/** What begins transactions and asks for tables: neither is done in a transaction. */
const NO_DIALECT = {} as Dialect;
const UNUSED = { config: { dialect: NO_DIALECT }, dialect: NO_DIALECT, driver: new DummyDriver() };
