import { type QueryExecutorProvider, sql } from 'kysely';
import pg from 'pg';
import { PrecedentError } from '../../domain/error.ts';

/** The number of the advisory lock that every version takes, in each database. */
const LOCK = 1_347_568_452;
/** How long to wait for the others that create or upgrade a workspace: each takes about a second. */
const SECONDS = 30;
/** The same for a table of the workspace: who wants it exclusively holds up everybody behind. */
const TABLE_TIMEOUT = '10s';
const GAVE_UP = new Set(['55P03', '57014']);

/** Lets one transaction at a time create or change a schema, until it ends. */
export async function lockMigrations(db: QueryExecutorProvider): Promise<void> {
  await sql`set local lock_timeout to ${sql.lit(`${SECONDS}s`)}`.execute(db);
  await sql`select pg_advisory_xact_lock(${sql.lit(LOCK)})`.execute(db);
  await sql`set local lock_timeout to ${sql.lit(TABLE_TIMEOUT)}`.execute(db);
}

/** Whether {@link lockMigrations} threw this because it had waited long enough. */
export function hasGivenUp(error: unknown): boolean {
  return error instanceof pg.DatabaseError && GAVE_UP.has(error.code ?? '');
}

/** Says who holds the lock, as far as this role may see it. @param db outside the transaction that gave up */
export async function refusalOfLock(db: QueryExecutorProvider): Promise<PrecedentError> {
  const { rows } = await sql<{ pid: number; program: string | null }>`
    select l.pid, a.application_name as program from pg_catalog.pg_locks as l
    left join pg_catalog.pg_stat_activity as a on a.pid = l.pid
    where l.locktype = 'advisory' and l.granted and l.classid = 0 and l.objid = ${sql.lit(LOCK)} and l.objsubid = 1
      and l.database = (select oid from pg_catalog.pg_database where datname = current_database()) limit 1`.execute(
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
