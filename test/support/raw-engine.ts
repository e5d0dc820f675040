import { after } from 'node:test';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { openEngine } from '../../src/memory/engines.ts';
import type { Engine, Fault } from '../../src/store/engine.ts';
import { Store } from '../../src/store/store.ts';
import type { EngineUnderTest, Place } from './engines.ts';

/** A database with tables of the test's own beside those of a memory. */
// biome-ignore lint/suspicious/noExplicitAny: such tables have no type.
export type Scratch = Kysely<any>;

/** The engine itself, without the product above it; closed after the test that opens it. */
export async function openRaw(place: Place): Promise<Engine> {
  const engine = await openAt(place);
  after(() => engine.close());
  return engine;
}

const openAt = ({ db, workspace = 'test' }: Place) => openEngine(db, workspace, () => {});

/** A store on an engine, for what the store and the engine promise together. */
export function storeOn(engine: Engine): Store {
  return new Store({
    engine,
    workspace: 'test',
    clock: () => 0,
    newId: () => crypto.randomUUID(),
    log: () => {},
  });
}

/** One engine for a suite: opened with its first test, closed after its last. */
export function rawEngine(under: EngineUnderTest) {
  let opened: Promise<Engine> | undefined;
  after(async () => (await opened)?.close());
  // Here: a place that is made in a test goes with it.
  const place = under.skip === undefined ? under.alone() : undefined;
  place?.catch(() => {});
  const open = () => {
    opened ??= (place as Promise<Place>).then(openAt);
    return opened;
  };
  /** Runs in a transaction that is rolled back, with the tables that were made in it. */
  async function trying<T>(work: (db: Scratch, engine: Engine) => Promise<T>): Promise<T> {
    const engine = await open();
    let result: { of: T } | undefined;
    const undo = new Error('rolled back on purpose');
    await engine
      .transaction({ access: 'write', patience: 'usual' }, async (db) => {
        result = { of: await work(db, engine) };
        throw undo;
      })
      .catch((error: unknown) => {
        if (error !== undo) throw error;
      });
    return (result as { of: T }).of;
  }
  /** What the engine says of the error that a statement ends in; undefined when it ends in none. */
  async function refusal(
    prepare: (db: Scratch) => Promise<unknown>,
    statement: (db: Scratch) => Promise<unknown>,
  ): Promise<Fault['kind'] | undefined> {
    const engine = await open();
    // A statement that fails may end the transaction, so the error leaves it.
    let isPrepared = false;
    return trying(async (db) => {
      await prepare(db);
      isPrepared = true;
      await statement(db);
      return undefined;
    }).catch((error: unknown) => {
      if (!isPrepared) throw error;
      return engine.fault(error).kind;
    });
  }
  return { open, trying, refusal };
}

/** The rows of a query. */
export async function rowsOf<Row = Record<string, unknown>>(
  db: Scratch,
  query: RawBuilder<unknown>,
): Promise<Row[]> {
  return (await sql<Row>`${query}`.execute(db)).rows;
}
