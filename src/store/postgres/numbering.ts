import { sql } from 'kysely';
import type { Numbering } from '../engine.ts';
import { TABLES, type Table } from '../tables.ts';

/** PostgreSQL counts in sequences, whose numbers of rolled-back transactions are used up. */
export const numbering: Numbering = {
  async last(db, table) {
    const { rows } = await sql<{ last: number }>`
      select coalesce(pg_sequence_last_value(${sequenceOf(table)}), 0) as last`.execute(db);
    return rows[0]?.last ?? 0;
  },

  async raise(db, table, to) {
    if (to <= (await numbering.last(db, table))) return;
    await sql`select setval(${sequenceOf(table)}, ${to}::bigint)`.execute(db);
  },
};

function sequenceOf(table: string) {
  const [column = ''] = TABLES[table as Table];
  return sql`pg_get_serial_sequence(${table}, ${column})::regclass`;
}
