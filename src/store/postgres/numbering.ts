import { sql } from 'kysely';
import type { Numbering } from '../engine.ts';

/** Numbers are counted in the mark of the newest writer, and in settings of a transaction that gives some out. */
export const numbering: Numbering = {
  async last(db, table) {
    const { rows } = await sql<{ last: number }>`select last_number(${table}) as last`.execute(db);
    return rows[0]?.last ?? 0;
  },

  async raise(db, table, to) {
    if (to <= (await numbering.last(db, table))) return;
    await sql`select pg_catalog.set_config(${sql.lit(`precedent.${table}`)}, ${String(to)}, true)`.execute(
      db,
    );
  },
};
