import { type RawBuilder, sql } from 'kysely';
import type { Views } from '../engine.ts';

/** Which rows were deleted since, and are recorded by changes alone. */
export interface Lost {
  relations: boolean;
  topics: boolean;
}

/** The parts of the views of one moment. None is a parameter: the views come before any statement. */
export interface Past extends Views {
  /** The moment, in milliseconds UTC: what happened in it is seen. */
  at: RawBuilder<unknown>;
  /** Whether a relation or a topic was removed since. Without one, a table is looked into by its indexes. */
  lost: Lost;
}

/** A view that replaces a table, or that other views read; each may read those before it. */
export interface View {
  /** The table's name. */
  name: string;
  rows: RawBuilder<unknown>;
  /** Set for one that is computed once a statement, since others look into it row by row. */
  once?: true;
}

/** The kinds of changes that mark a record as undone, or a memo as deleted, and those that take the mark away. */
export const [MARKED, UNMARKED] = [sql`'retracted', 'deleted'`, sql`'reinstated', 'restored'`];

/**
 * Since when a record was undone at that moment; null while it counted (K-6).
 * @param seq its number
 * @param present what its mark is today
 */
export function retractedAt(
  { at, table }: Past,
  seq: RawBuilder<unknown>,
  present: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const changes = (kinds: RawBuilder<unknown>, when: RawBuilder<unknown>) =>
    sql`from ${table('changes')} as c where c.record_seq = ${seq} and c.kind in (${kinds}) and c.created_at ${when} ${at}`;
  const next = sql`(select c.kind ${changes(sql`${MARKED}, ${UNMARKED}`, sql`>`)} order by c.seq limit 1)`;
  return sql`case when ${next} in (${MARKED}) then null
    when ${next} in (${UNMARKED}) then (select max(c.created_at) ${changes(MARKED, sql`<=`)}) else ${present} end`;
}

/** The view that only says which rows of a table are there. With all that they say, statements take long to prepare. */
export const there = (name: string) => (/^(decision|observation|memo)s$/.test(name) ? `${name}_there` : name);

/** Whether a row with this id is in a view before. */
export const isThere = (table: string, id: RawBuilder<unknown>) =>
  sql`exists (select 1 from ${sql.id(there(table))} as there where there.id = ${id})`;

/** The rows of a table from a date on, by the column that has it. */
export const since = ({ table, at }: Past, name: string, moment: string): View => ({
  name,
  rows: sql`select x.* from ${table(name)} as x where ${sql.ref(`x.${moment}`)} <= ${at}`,
});

/** A table that is empty in every past. */
export const nothing = ({ table }: Past, name: string): View => ({
  name,
  rows: sql`select x.* from ${table(name)} as x where 1 = 0`,
});
