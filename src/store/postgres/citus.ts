import { type QueryExecutorProvider, sql } from 'kysely';
import { unavailable } from '../../domain/error.ts';
import { kept } from './prepared.ts';

/** The number that Citus gave this node: 0 for the coordinator. A plain PostgreSQL has no such table. */
const OWN_NUMBER = 'pg_catalog.pg_dist_local_group';
/** Whether a database is distributed by Citus, as a column of any query. */
export const IS_CITUS = `pg_catalog.to_regclass('${OWN_NUMBER}') is not null`;
/** Whether a node of Citus is one of its workers, in a column `isWorker`: only for a database that is distributed. */
export const ASK_IF_WORKER = `select groupid <> 0 as "isWorker" from ${OWN_NUMBER}`;

/** Whether this database is distributed by Citus. */
export async function isCitus(db: QueryExecutorProvider): Promise<boolean> {
  const { rows } = await sql<{ is: boolean }>`select ${sql.raw(IS_CITUS)} as is`.execute(db);
  return rows[0]?.is === true;
}

/**
 * Refuses what would go wrong later, and say something else then: a worker gives numbers out of a range of its own, and
 * settings that stay on the coordinator let a writer wait for its turn until the client gives the server up.
 * @throws PrecedentError `unavailable`, with what to do
 */
export async function checkCitus(db: QueryExecutorProvider): Promise<void> {
  kept.names = false;
  const { rows } = await sql<{ isWorker: boolean; propagated: string | null }>`
    select node."isWorker", pg_catalog.current_setting('citus.propagate_set_commands', true) as propagated
    from (${sql.raw(ASK_IF_WORKER)}) as node`.execute(db);
  const [{ isWorker, propagated } = { isWorker: false, propagated: null }] = rows;
  const wrong = isWorker
    ? 'Expected the coordinator of Citus, found one of its workers. Name the coordinator in the address.'
    : `Expected a database of Citus with citus.propagate_set_commands = 'local', found ${propagated ?? 'none'}. As its owner: alter database … set citus.propagate_set_commands = 'local'; then open it again.`;
  if (isWorker || propagated !== 'local') throw unavailable.unsupported(wrong);
}
