import { sql } from 'kysely';
import { type Kind, logOf, WHO, WRITTEN } from './kind.ts';

/** A redaction says what was blanked, and is never undone. */
export const redaction = {
  table: 'redactions',
  at: 'created_at',
  log: logOf('redactions', {
    answers: [],
    where: () => [],
    read: (wanted) => sql`select x.seq, r2.kind as text, o.id as observation_id, d.id, d.topic, ${WHO}
      from ${wanted} join redactions as x on x.seq = wanted.id left join records as r2 on r2.seq = x.record_seq
      left join observations as o on o.seq = x.record_seq left join decisions as d on d.seq = x.record_seq ${WRITTEN}`,
  }),
} satisfies Kind<'redactions'>;
