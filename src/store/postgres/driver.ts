import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Dialect,
  type Driver,
  type Kysely,
  PostgresAdapter,
  PostgresQueryCompiler,
  type QueryExecutorProvider,
  sql,
  type TransactionSettings,
} from 'kysely';
import { PrecedentError } from '../../domain/error.ts';
import type { Patience } from '../engine.ts';
import { CommitUnknown, isLost } from './fault.ts';
import type { Servers } from './servers.ts';
import { Session } from './session.ts';

/** How long a writer waits for the one before it, and how long one may do nothing while others wait for it. */
const LOCK_TIMEOUT = '10s';
const IDLE_TIMEOUT = '60s';
/** Milliseconds to find out, after a connection was lost while committing, whether it had committed. */
const FINDING_OUT = 10_000;
const PAUSE = 100;

/** The row of `meta` that a writer holds, and in which it leaves its mark, newest first. */
export const WRITER = 'writer';
/** Characters of marks that are kept: the marks of more than a hundred writers. */
const MARKS = 1_200;

/**
 * Kysely's PostgreSQL dialect for one workspace. A read takes one snapshot. A write waits for the one before it in the
 * same workspace, as in a file: no two of them ever contradict each other, and numbers are given out in the order in
 * which they become visible. Settings hold for one transaction, never for a session, as a pooler demands.
 */
export function workspaceDialect(servers: Servers, workspace: string, patience: Patience): Dialect {
  return {
    createAdapter: () => new WorkspaceAdapter(),
    createDriver: () => new WorkspaceDriver(servers, workspace, patience),
    createIntrospector: (db) => introspector(db, workspace),
    createQueryCompiler: () => new ByteOrderCompiler(),
  };
}

/** Texts are compared by their bytes, as on every engine, whatever language the server speaks. */
class ByteOrderCompiler extends PostgresQueryCompiler {
  protected override visitDataType(node: Parameters<PostgresQueryCompiler['visitDataType']>[0]): void {
    this.append(node.dataType === 'text' ? 'text collate "C"' : node.dataType);
  }
}

/** Lets one transaction at a time create or change a schema, until it ends. */
export async function lockMigrations(db: QueryExecutorProvider): Promise<void> {
  await sql`select pg_advisory_xact_lock(${sql.lit(1_347_568_452)})`.execute(db);
}

class WorkspaceAdapter extends PostgresAdapter {
  /** The lock ends with the transaction. */
  override async acquireMigrationLock(db: Kysely<unknown>): Promise<void> {
    await lockMigrations(db);
  }

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

/** The tables of a workspace; none before it is created. */
export async function tablesOf(db: QueryExecutorProvider, workspace: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_catalog.pg_class as c
    join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
    where n.nspname = ${workspace} and c.relkind in ('r', 'p', 'v', 'f')`.execute(db);
  return rows.map(({ name }) => name);
}

class WorkspaceDriver implements Driver {
  readonly #servers: Servers;
  readonly #workspace: string;
  readonly #patience: Patience;

  constructor(servers: Servers, workspace: string, patience: Patience) {
    this.#servers = servers;
    this.#patience = patience;
    this.#workspace = `"${workspace.replaceAll('"', '""')}"`;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<Session> {
    return new Session(await this.#servers.connect(), this.#patience);
  }

  async beginTransaction(session: Session, { accessMode }: TransactionSettings): Promise<void> {
    try {
      const isRead = accessMode === 'read only';
      // Sent one after the other without waiting in between: one round trip for all of them.
      await Promise.all([
        session.query(
          isRead ? 'begin isolation level repeatable read read only' : 'begin isolation level read committed',
        ),
        session.query(`set local search_path to ${this.#workspace}`),
        accessMode === 'read write' && waitForTurn(session),
      ]);
    } catch (error) {
      // A transaction that never began is not rolled back.
      session.discard();
      throw error;
    }
  }

  async commitTransaction(session: Session): Promise<void> {
    try {
      const { command } = await session.query('commit');
      if (command === 'ROLLBACK') throw new Error('a statement had failed before the commit');
    } catch (error) {
      if (!session.marks || !isLost(error)) throw error;
      if (!(await this.#isThere(session.marks))) throw error;
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
  async #isThere({ own, before }: { own: string; before: string }): Promise<boolean> {
    const deadline = performance.now() + FINDING_OUT;
    for (;;) {
      const marks = await this.#readMarks().catch((error: unknown) => {
        if (isLost(error) && performance.now() < deadline) return undefined;
        throw new CommitUnknown('', { cause: error });
      });
      if (marks?.includes(own)) return true;
      if (marks?.includes(before)) return false;
      // So many writers came after this one that neither mark is kept any more.
      if (marks) throw new CommitUnknown();
      await sleep(PAUSE);
    }
  }

  /** Waits for its turn like a writer: what is still being committed has ended then, one way or the other. */
  async #readMarks(): Promise<string[]> {
    const session = await this.acquireConnection();
    try {
      await this.beginTransaction(session, {});
      await session.query(`set local lock_timeout to '${LOCK_TIMEOUT}'`);
      const { rows } = await session.query('select value from meta where key = $1 for update', [WRITER]);
      await this.rollbackTransaction(session);
      return String(rows[0]?.value).split(' ');
    } catch (error) {
      // Its transaction may have been aborted without having ended.
      session.discard();
      throw error;
    } finally {
      session.release();
    }
  }
}

/** Takes the workspace's turn to write, and leaves a mark that is committed or rolled back with the transaction. */
async function waitForTurn(session: Session): Promise<void> {
  const own = randomBytes(6).toString('base64url');
  const [, , { rows }] = await Promise.all([
    session.query(`set local lock_timeout to '${LOCK_TIMEOUT}'`),
    session.query(`set local idle_in_transaction_session_timeout to '${IDLE_TIMEOUT}'`),
    session.query(
      `update meta set value = left($1 || ' ' || value, ${MARKS}) where key = $2 returning value`,
      [own, WRITER],
    ),
  ]);
  const [row] = rows;
  if (!row) {
    throw new PrecedentError(
      'unavailable',
      `Expected the row of the table meta by which writers take turns (key "${WRITER}"), found it deleted. Nothing was written. Insert it again.`,
    );
  }
  session.marks = { own, before: String(row.value).split(' ')[1] ?? '' };
}
