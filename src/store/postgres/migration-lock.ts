import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely';
import pg from 'pg';
import { PrecedentError } from '../../domain/error.ts';
import { batched } from './session.ts';

/** The number of the advisory locks, in each database. */
const LOCK = 1_347_568_452;
/**
 * How many workspaces of a database can be made or brought up to date at once: with one lock for all, each waits for every
 * other, and with none at all a hundred of them take the server's processors from those who save.
 */
const AT_ONCE = 8;
/** How long to wait for the others: each takes about a second. Shorter than a client waits for any answer. */
const SECONDS = 25;
/** The same for a table of the workspace: who wants it exclusively holds up everybody behind. */
const TABLE_TIMEOUT = '10s';
const GAVE_UP = new Set(['55P03', '57014']);

/** Which of the locks a workspace shares with an eighth of the others. */
const placeOf = (workspace: string) => sql`pg_catalog.hashtext(${workspace}) & ${sql.lit(AT_ONCE - 1)}`;

/** Lets one transaction at a time create this workspace or change its schema, until it ends. */
export async function lockWorkspace(db: QueryExecutorProvider, workspace: string): Promise<void> {
  await lock(
    db,
    sql`select pg_catalog.pg_advisory_xact_lock_shared(${sql.lit(LOCK)})`,
    sql`select pg_catalog.pg_advisory_xact_lock(${sql.lit(LOCK)}::integer, ${placeOf(workspace)})`,
  );
}

/** Lets nobody create, rename, name or remove a workspace until the transaction ends. */
export async function lockNames(db: QueryExecutorProvider): Promise<void> {
  await lock(db, sql`select pg_catalog.pg_advisory_xact_lock(${sql.lit(LOCK)})`);
}

/** One way to the server and back. */
async function lock(db: QueryExecutorProvider, ...locks: RawBuilder<unknown>[]): Promise<void> {
  const waiting = (time: string) => sql`set local lock_timeout to ${sql.lit(time)}`;
  const all = [waiting(`${SECONDS}s`), ...locks, waiting(TABLE_TIMEOUT)];
  await batched(
    db,
    all.map((each) => each.compile(db)),
  );
}

/** Whether {@link lockWorkspace} threw this because it had waited long enough. */
export function hasGivenUp(error: unknown): boolean {
  return error instanceof pg.DatabaseError && GAVE_UP.has(error.code ?? '');
}

/** Says who holds the lock, as far as this role may see it. @param db outside the transaction that gave up */
export async function refusalOfLock(db: QueryExecutorProvider, workspace: string): Promise<PrecedentError> {
  const { rows } = await sql<{ pid: number; program: string | null }>`
    select l.pid, a.application_name as program from pg_catalog.pg_locks as l
    left join pg_catalog.pg_stat_activity as a on a.pid = l.pid
    where l.locktype = 'advisory' and l.granted and (
        (l.classid = '0' and l.objid = ${sql.lit(String(LOCK))} and l.objsubid = 1 and l.mode = 'ExclusiveLock')
        or (l.classid = ${sql.lit(String(LOCK))} and l.objid = (${placeOf(workspace)})::oid and l.objsubid = 2))
      and l.database = (select oid from pg_catalog.pg_database where datname = pg_catalog.current_database()) limit 1`.execute(
    db,
  );
  const [holder] = rows;
  const who = holder ? ` (server process ${holder.pid}${holder.program ? `, ${holder.program}` : ''})` : '';
  const end = holder ? `; if it hangs, pg_terminate_backend(${holder.pid}) ends it` : '';
  return new PrecedentError(
    'unavailable',
    `Another process is creating or upgrading a workspace in this database${who}, and was not done in ${SECONDS} seconds. Nothing was written. Try again when it is done${end}.`,
  );
}
