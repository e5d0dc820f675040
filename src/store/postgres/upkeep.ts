import { sql } from 'kysely';
import type { Db, Upkeep } from '../engine.ts';
import { isCitus } from './citus.ts';
import { OF_WORKSPACES, SCHEMA, tableOf } from './rows.ts';
import { checkTotals } from './text-index.ts';

/** @param written called when much was written in a transaction, which has not ended */
export const upkeepWith = (written: () => void): Upkeep => ({
  // The server checks its own files; the text index is ours.
  integrity: checkTotals,

  // The server's indexes are its operator's: rebuilding them locks out every reader.
  async reindex() {},

  // All workspaces share the tables: in the transaction, everybody else's import would wait for its end (N-4).
  async refreshStatistics() {
    written();
  },
});

/**
 * Refreshes statistics after a large write was committed. Without ownership of the tables, and on Citus, it is left to
 * the server: on Citus it would be of every shard, in two phases.
 */
export async function analyse(db: Db): Promise<void> {
  if (await isCitus(db)) return;
  const tables = OF_WORKSPACES.map((name) => sql.id(SCHEMA, tableOf(name)));
  await sql`analyze (skip_locked) ${sql.join(tables)}`.execute(db);
}
