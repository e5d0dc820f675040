import { sql } from 'kysely';
import type { Upkeep } from '../engine.ts';

export const upkeep: Upkeep = {
  async integrity(camel) {
    const db = camel.withoutPlugins();
    // FTS5 checks what it has cached, and only a query makes it notice that another process wrote since. An index that
    // cannot be read is left to the check.
    await sql`select rowid from search_text limit 1`.execute(db).catch(() => {});
    const checked = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(db);
    const damage = checked.rows.map((row) => row.integrity_check).filter((line) => line !== 'ok');
    const broken = await sql<{ table: string; parent: string }>`pragma foreign_key_check`.execute(db);
    return [
      ...damage,
      ...broken.rows.map((row) => `a row of ${row.table} refers to a missing row of ${row.parent}`),
    ];
  },

  async reindex(db) {
    await sql`reindex`.execute(db);
  },

  // SQLite plans well without statistics.
  async refreshStatistics() {},
};
