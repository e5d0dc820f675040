import { sql } from 'kysely';
import { about, is, OF_CHAIN } from './condition.ts';
import { type Kind, logOf, WHO, WRITTEN } from './kind.ts';

export const outcome = {
  table: 'outcomes',
  at: 'created_at',
  log: logOf('outcomes', {
    answers: [...OF_CHAIN, 'outcome', 'words'],
    where: (tx, filter) => [
      filter.outcome === 'pending' ? sql`1 = 0` : is(sql`x.outcome`, filter.outcome),
      about(tx, sql`x.decision_id`, filter),
    ],
    read: (
      wanted,
    ) => sql`select x.seq, d.id, d.topic, d.scope, coalesce(x.reason, d.text) as text, d.strength, x.outcome, ${WHO}
      from ${wanted} join outcomes as x on x.seq = wanted.id join decisions as d on d.id = x.decision_id ${WRITTEN}`,
    // It is read with its decision.
    ids: 'decisions',
  }),
} satisfies Kind<'outcomes'>;
