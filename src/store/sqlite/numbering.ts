import { sql } from 'kysely';
import type { Numbering } from '../engine.ts';

/** SQLite counts in a table of its own, `sqlite_sequence`. */
export const numbering: Numbering = {
  async last(db, table) {
    const { rows } = await sql<{ seq: number }>`
      select seq from sqlite_sequence where name = ${table}`.execute(db);
    return rows[0]?.seq ?? 0;
  },

  async raise(db, table, to) {
    if (to <= (await numbering.last(db, table))) return;
    // That table has no unique key to update a row by.
    await sql`delete from sqlite_sequence where name = ${table}`.execute(db);
    await sql`insert into sqlite_sequence (name, seq) values (${table}, ${to})`.execute(db);
  },
};
