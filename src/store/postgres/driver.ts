import { setTimeout as sleep } from 'node:timers/promises';
import {
  type CompiledQuery,
  createQueryId,
  type Dialect,
  type Driver,
  type Kysely,
  PostgresAdapter,
  PostgresQueryCompiler,
  type QueryId,
  type RootOperationNode,
  type TransactionSettings,
} from 'kysely';
import { Names } from '../camel-case.ts';
import type { Migrations, Patience } from '../engine.ts';
import { checkUnchanged } from '../migrations/migrations.ts';
import { together } from '../statements.ts';
import { tablesOf } from './catalogue.ts';
import { CommitUnknown, isLost } from './fault.ts';
import { checkEntered, entering } from './owners.ts';
import type { Servers } from './servers.ts';
import { type Mark, Session } from './session.ts';
import { isThere, takeTurn } from './turn.ts';

/** Milliseconds to find out, after a connection was lost while committing, whether it had committed. */
const FINDING_OUT = 10_000;
const PAUSE = 100;

/** How long statements may take, and whether a writer gives up when another one has the turn. */
interface Haste {
  patience: Patience;
  isHurried?: boolean;
}

/**
 * Kysely's PostgreSQL dialect for one workspace. A read takes one snapshot. A write waits for the one before it in the
 * same workspace, as in a file: no two of them ever contradict each other, and numbers are given out in the order in
 * which they become visible. Settings hold for one transaction, never for a session, as a pooler demands.
 */
export function workspaceDialect(
  servers: Servers,
  workspace: string,
  haste: Haste,
  all: Migrations,
): Dialect {
  return {
    createAdapter: () => new Unlocked(),
    createDriver: () => new WorkspaceDriver(servers, workspace, haste, all),
    createIntrospector: (db) => introspector(db, workspace),
    createQueryCompiler: () => new ByteOrderCompiler(),
  };
}

/** Texts are compared by their bytes, as on every engine, whatever language the server speaks. */
export class ByteOrderCompiler extends PostgresQueryCompiler {
  readonly #names = new Names();

  override compileQuery(node: RootOperationNode, queryId: QueryId): CompiledQuery {
    this.#names.of(node);
    return super.compileQuery(node, queryId);
  }

  protected override sanitizeIdentifier(identifier: string): string {
    return super.sanitizeIdentifier(this.#names.written(identifier));
  }

  protected override visitDataType(node: Parameters<PostgresQueryCompiler['visitDataType']>[0]): void {
    this.append(node.dataType === 'text' ? 'text collate "C"' : node.dataType);
  }
}

/** Who brings a workspace up to date holds its lock already, until the transaction ends. */
export class Unlocked extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}

/** Only what migrations ask for: reading all columns of a thousand workspaces takes seconds. */
function introspector(db: Kysely<unknown>, workspace: string): ReturnType<Dialect['createIntrospector']> {
  const getTables = async () => {
    const names = await tablesOf(db, workspace);
    return names.map((name) => ({
      name,
      schema: workspace,
      isView: false,
      isForeign: false,
      columns: [],
    }));
  };
  return { getSchemas: async () => [{ name: workspace }], getTables };
}

class WorkspaceDriver implements Driver {
  readonly #servers: Servers;
  readonly #workspace: string;
  readonly #entering: CompiledQuery;
  readonly #haste: Haste;
  readonly #all: Migrations;

  constructor(servers: Servers, workspace: string, haste: Haste, all: Migrations) {
    this.#servers = servers;
    this.#all = all;
    this.#haste = haste;
    this.#workspace = workspace;
    this.#entering = new ByteOrderCompiler().compileQuery(
      entering(workspace).toOperationNode(),
      createQueryId(),
    );
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<Session> {
    return new Session(await this.#servers.connect(), this.#haste.patience);
  }

  async beginTransaction(session: Session, { accessMode }: TransactionSettings): Promise<void> {
    try {
      const isRead = accessMode === 'read only';
      const [, , mark, newest] = await together(
        session.query(
          isRead ? 'begin isolation level repeatable read read only' : 'begin isolation level read committed',
        ),
        this.#enter(session),
        accessMode === 'read write' ? takeTurn(session, this.#haste.isHurried) : undefined,
        // Migrations do not say what they do. In its turn, a writer sees what was done while it waited.
        accessMode && session.query('select max(name collate "C") as name from kysely_migration'),
      );
      session.mark = mark;
      if (newest) checkUnchanged(newest.rows[0]?.name ?? undefined, this.#all);
    } catch (error) {
      // A transaction that never began is not rolled back.
      session.discard();
      throw error;
    }
  }

  async #enter(session: Session): Promise<void> {
    const { sql: text, parameters } = this.#entering;
    const { rows } = await session.query(text, parameters);
    checkEntered(this.#workspace, rows[0]);
  }

  async commitTransaction(session: Session): Promise<void> {
    try {
      const { command } = await session.query('commit');
      if (command === 'ROLLBACK') throw new Error('a statement had failed before the commit');
    } catch (error) {
      if (!session.mark || !isLost(error)) throw error;
      if (!(await this.#isThere(session.mark))) throw error;
    }
  }

  async rollbackTransaction(session: Session): Promise<void> {
    // If the rollback cannot be sent, the server rolls back when it sees the connection drop.
    if (!session.isBroken) await session.query('rollback').catch(() => session.discard());
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
      await this.beginTransaction(session, {});
      const there = await isThere(session, mark);
      await this.rollbackTransaction(session);
      return there;
    } catch (error) {
      // Its transaction may have been aborted without having ended.
      session.discard();
      throw error;
    } finally {
      session.release();
    }
  }
}
