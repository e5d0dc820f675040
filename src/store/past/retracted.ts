import { type RawBuilder, sql } from 'kysely';
import type { Past } from './past.ts';

/** The kinds of changes that mark a record as a mistake, or a memo as deleted, and those that take the mark away. */
export const [MARKED, UNMARKED] = [sql`'retracted', 'deleted'`, sql`'reinstated', 'restored'`];

/**
 * Since when a record was a mistake at that moment; null while it counted (K-6).
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
