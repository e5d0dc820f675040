import { sql } from 'kysely';
import type { Upkeep } from '../engine.ts';
import { TABLE_NAMES } from '../tables.ts';
import { isCitus } from './citus.ts';
import { checkTotals, TEXT_INDEX_TABLES } from './text-index.ts';

export const upkeep: Upkeep = {
  // The server checks its own files; the text index is ours.
  integrity: checkTotals,

  // The server's indexes are its operator's: rebuilding them locks out every reader.
  async reindex() {},

  async refreshStatistics(db) {
    // The server counts by itself within a minute; the next query comes sooner. Citus refuses it in a transaction that
    // has written on the node it runs on.
    if (await isCitus(db)) return;
    const tables = [...TABLE_NAMES, ...TEXT_INDEX_TABLES];
    await sql`analyze ${sql.join(tables.map((table) => sql.table(table)))}`.execute(db);
  },
};
