import { sql } from 'kysely';
import { about, OF_CHAIN } from './condition.ts';
import { type Kind, logOf, WHO, WRITTEN } from './kind.ts';

/** The decision that an anchor points to, itself or by its evidence. */
const OWNER = sql`coalesce(x.decision_ref, (select e.decision_ref from evidence as e where e.id = x.evidence_ref))`;

export const anchor = {
  table: 'anchors',
  at: 'created_at',
  text: 'hint',
  // It is found as the decision that it points to (T-15).
  heldBy: (seq) =>
    sql`select d.seq from anchors as x join decisions as d on d.id = ${OWNER} where x.seq = ${seq}`,
  log: logOf('anchors', {
    answers: OF_CHAIN,
    where: (tx, filter) => [about(tx, OWNER, filter)],
    read: (wanted) => sql`select x.seq, x.id, d.topic, d.scope, x.hint as text, ${WHO}
      from ${wanted} join anchors as x on x.seq = wanted.id join decisions as d on d.id = ${OWNER} ${WRITTEN}`,
  }),
} satisfies Kind<'anchors'>;
