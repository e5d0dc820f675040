import { setTimeout as sleep } from 'node:timers/promises';
import {
  createQueryId,
  type Dialect,
  type Driver,
  type Kysely,
  PostgresAdapter,
  PostgresQueryCompiler,
  type TransactionSettings,
} from 'kysely';
import { PrecedentError, unavailable } from '../../domain/error.ts';
import { type Migrations, notThere, type Patience } from '../engine.ts';
import { checkUnchanged } from '../migrations/migrations.ts';
import { together } from '../statements.ts';
import { tablesOf } from './catalogue.ts';
import { CommitUnknown, isLost } from './fault.ts';
import { checkEntered, ENTERING } from './owners.ts';
import { SCHEMA, SETTING } from './rows.ts';
import type { Servers } from './servers.ts';
import { type Mark, Session } from './session.ts';
import { isThere, keepNumbers, takeTurn } from './turn.ts';

/** Milliseconds to find out, after a connection was lost while committing, whether it had committed. */
const FINDING_OUT = 10_000;
const PAUSE = 100;

const ENTER = new PostgresQueryCompiler().compileQuery(ENTERING.toOperationNode(), createQueryId()).sql;

/** How long statements may take, and whether a writer gives up when another one has the turn. */
interface Haste {
  patience: Patience;
  isHurried?: boolean;
}

/** A workspace by its name, and its number in each of its rows; undefined until that was looked up. */
export interface Place {
  readonly name: string;
  id?: number | undefined;
}

/**
 * Kysely's PostgreSQL dialect for one workspace. A read takes one snapshot. A write waits for the one before it in the
 * same workspace, as in a file: no two of them ever contradict each other, and numbers are given out in the order in
 * which they become visible. Settings hold for one transaction, never for a session, as a pooler demands.
 */
export function workspaceDialect(servers: Servers, place: Place, haste: Haste, all: Migrations): Dialect {
  return {
    createAdapter: () => new Unlocked(),
    createDriver: () => new WorkspaceDriver(servers, place, haste, all),
    createIntrospector: introspector,
    createQueryCompiler: () => new ByteOrderCompiler(),
  };
}

/** Texts are compared by their bytes, as on every engine, whatever language the server speaks. */
class ByteOrderCompiler extends PostgresQueryCompiler {
  protected override visitDataType(node: Parameters<PostgresQueryCompiler['visitDataType']>[0]): void {
    this.append(node.dataType === 'text' ? 'text collate "C"' : node.dataType);
  }
}

/** A migration holds the lock of its workspace already, until the transaction ends. */
class Unlocked extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}

/** Only what migrations ask for: reading all columns of a database takes long. */
function introspector(db: Kysely<unknown>): ReturnType<Dialect['createIntrospector']> {
  const getTables = async () => {
    const names = await tablesOf(db);
    return names.map((name) => ({ name, schema: SCHEMA, isView: false, isForeign: false, columns: [] }));
  };
  return { getSchemas: async () => [{ name: SCHEMA }], getTables };
}

function gone(workspace: string): PrecedentError {
  return unavailable.replaced(
    `The workspace "${workspace}" is no longer there: it was renamed or dropped while in use; nothing was written. Try again; with the library, open the memory first: that creates a new one.`,
  );
}

class WorkspaceDriver implements Driver {
  readonly #servers: Servers;
  readonly #place: Place;
  readonly #haste: Haste;
  readonly #all: Migrations;

  constructor(servers: Servers, place: Place, haste: Haste, all: Migrations) {
    this.#servers = servers;
    this.#all = all;
    this.#haste = haste;
    this.#place = place;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<Session> {
    return new Session(await this.#servers.connect(this.#place.name), this.#haste.patience);
  }

  /** Without an access mode the transaction is about the schema, and in no workspace. */
  async beginTransaction(session: Session, { accessMode }: TransactionSettings): Promise<void> {
    try {
      if (!accessMode) await this.#enter(session);
      else if (!(await this.#begin(session, accessMode, true))) {
        // It was removed, and perhaps made again; or it was renamed, and another one has its name.
        await session.query('rollback');
        this.#place.id = undefined;
        await this.#begin(session, accessMode, false).catch((error) => {
          throw error instanceof PrecedentError && error.code === 'not_found'
            ? gone(this.#place.name)
            : error;
        });
      }
    } catch (error) {
      // A transaction that never began is not rolled back.
      session.isBroken = true;
      throw error;
    }
  }

  #enter(session: Session, isRead = false) {
    return together(
      session.query(
        isRead ? 'begin isolation level repeatable read read only' : 'begin isolation level read committed',
      ),
      session.query(ENTER).then(({ rows }) => checkEntered(rows[0])),
    );
  }

  /** Where the name leads now, and what the schema is: migrations do not say what they do. */
  async #find(session: Session): Promise<{ id: number | null; newest: string | null }> {
    const { rows } = await session.query(
      `select (select id from workspaces where name = $1) as id,
        (select max(name collate "C") from kysely_migration) as newest`,
      [this.#place.name],
    );
    return rows[0];
  }

  /** @throws PrecedentError `not_found` */
  async #look(session: Session): Promise<number> {
    const [, { id }] = await together(this.#enter(session, true), this.#find(session));
    await session.query('rollback');
    if (id === null) throw notThere(this.#place.name);
    return id;
  }

  /**
   * @param mayMove whether the workspace may be another one than before: else that is an error
   * @returns whether the transaction has begun
   */
  async #begin(session: Session, accessMode: 'read only' | 'read write', mayMove: boolean): Promise<boolean> {
    this.#place.id ??= await this.#look(session);
    const { id } = this.#place;
    const entered = this.#enter(session, accessMode === 'read only');
    const set = together(
      // Compiling a plan takes longer than running it, and a large neighbour makes the planner believe otherwise (N-5).
      session.query('set local jit to off'),
      session.query(`set local ${SETTING} to ${id}`),
    );
    // Lock this first: migrations wait for running transactions, never the reverse.
    const looked = this.#find(session);
    const taken = accessMode === 'read write' ? takeTurn(session, this.#haste.isHurried) : undefined;
    await Promise.allSettled([entered, set, taken, looked]);
    await together(entered, set);
    const { id: found, newest } = await looked;
    // Nobody can take the turn of a workspace that is gone, even if it goes while one waits.
    const [mark] = await Promise.allSettled([taken]);
    const isGone = found !== id || (mark.status === 'rejected' && mark.reason instanceof PrecedentError);
    if (isGone && mayMove) return false;
    if (found !== id) throw gone(this.#place.name);
    if (mark.status === 'rejected') throw mark.reason;
    session.mark = mark.value;
    checkUnchanged(newest ?? undefined, this.#all);
    return true;
  }

  async commitTransaction(session: Session): Promise<void> {
    try {
      const kept = session.mark && keepNumbers(session, session.mark);
      // Where it fails, so does the commit; what is lost by it is asked again.
      let lost: unknown;
      kept?.catch((error) => {
        if (isLost(error)) lost = error;
      });
      const { command } = await session.query('commit');
      if (lost) throw lost;
      if (command === 'ROLLBACK') throw new Error('a statement had failed before the commit');
    } catch (error) {
      if (!session.mark || !isLost(error)) throw error;
      // The question needs a connection, and nobody else may have one to spare.
      session.release();
      if (!(await this.#isThere(session.mark))) throw error;
    }
  }

  async rollbackTransaction(session: Session): Promise<void> {
    // If the rollback cannot be sent, the server rolls back when it sees the connection drop.
    if (session.isBroken) return;
    await session.query('rollback').catch(() => {
      session.isBroken = true;
    });
  }

  async releaseConnection(session: Session): Promise<void> {
    session.release();
  }

  /** The servers are shared: the engine ends them. */
  async destroy(): Promise<void> {}

  /** Whether a transaction whose connection was lost while committing had committed: then its mark is there. */
  async #isThere(mark: Mark): Promise<boolean> {
    const deadline = performance.now() + FINDING_OUT;
    for (;;) {
      try {
        return await this.#ask(mark);
      } catch (error) {
        if (!isLost(error) || performance.now() >= deadline) throw new CommitUnknown('', { cause: error });
      }
      await sleep(PAUSE);
    }
  }

  async #ask(mark: Mark): Promise<boolean> {
    const session = await this.acquireConnection();
    try {
      await this.beginTransaction(session, { accessMode: 'read write' });
      const there = await isThere(session, mark);
      await this.rollbackTransaction(session);
      return there;
    } catch (error) {
      // Its transaction may have been aborted without having ended.
      session.isBroken = true;
      throw error;
    } finally {
      session.release();
    }
  }
}
