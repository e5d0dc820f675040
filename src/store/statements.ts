import { CamelCasePlugin, type ConnectionProvider, type Dialect, DummyDriver, Kysely, sql } from 'kysely';
import type { Db } from './engine.ts';
import type { Schema } from './schema.ts';
import { giveWay } from './turns.ts';
import type { Tx } from './tx.ts';

/**
 * The answers to statements that need not wait for each other: one round trip where the database is on a server (P-10).
 * All of them have ended when this does, so that none runs on in a transaction that is rolled back.
 * @throws the error of the first that failed: those after it fail only because it did
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

/** A database over a dialect, with names in camel case here and in snake case there (D-6). */
export const overDialect = (dialect: Dialect): Db =>
  new Kysely<Schema>({ dialect, plugins: [new CamelCasePlugin()] });

/** The rows that a statement gives, which is written after it: query<Row>(tx)`select …`. */
export const query =
  <Row>({ db }: Pick<Tx, 'db'>) =>
  async (text: TemplateStringsArray, ...values: unknown[]): Promise<Row[]> =>
    (await sql<Row>(text, ...values).execute(db)).rows;

/**
 * Sends one statement after the other; each is made while the database works on the one before it.
 * @param made the statements, or what they are made of: asked for the next one when one was sent
 * @throws the error of the first that failed: nothing is sent after it
 */
export async function oneAhead<Made>(
  made: Iterable<Made>,
  send: (each: Made) => Promise<unknown>,
): Promise<void> {
  let sent: Promise<unknown> = Promise.resolve();
  for (const each of made) {
    await sent;
    sent = send(each);
    // Its error is thrown where it is waited for.
    sent.catch(() => {});
    // It goes out before the next one is made; signals and timers get their turn, too.
    await giveWay();
  }
  await sent;
}

/** The same transaction, whose statements go another way to the database. */
export function through(db: Db, connections: ConnectionProvider): Db {
  return new Kysely<Schema>({ ...UNUSED, executor: db.getExecutor().withConnectionProvider(connections) });
}

/** Methods that begin transactions and ask for tables: neither is done in a transaction. */
const NO_DIALECT = {} as Dialect;
const UNUSED = { config: { dialect: NO_DIALECT }, dialect: NO_DIALECT, driver: new DummyDriver() };
