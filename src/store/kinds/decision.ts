import { sql } from 'kysely';
import { OF_VERSION } from '../../domain/filter/filter.ts';
import { decisionDocuments } from '../decisions/decision.ts';
import { ofDecision } from './condition.ts';
import { type Kind, logOf, WHO, WRITTEN } from './kind.ts';

export const decision = {
  table: 'decisions',
  at: 'created_at',
  title: 'topic',
  text: 'text',
  documents: decisionDocuments,
  log: {
    ...logOf('decisions', {
      answers: OF_VERSION,
      where: () => [],
      detail: sql`case when d.withdrawn = 1 then 'withdrawn' when d.version = 1 then 'decided' else 'revised' end`,
      read: (
        wanted,
      ) => sql`select x.seq, x.id, x.topic, x.scope, x.text, x.version, x.strength, x.withdrawn, x.outcome, x.reasoning, x.branch,
          before.text as was, ${WHO}
        from ${wanted} join decisions as x on x.seq = wanted.id ${WRITTEN}
        left join decisions as before on before.root_id = x.root_id and before.version = x.version - 1`,
    }),
    from: sql`decisions as d`,
    at: sql`d.created_at`,
    number: sql`d.seq`,
    where: (tx, filter) => [ofDecision(tx, filter)],
  },
} satisfies Kind<'decisions'>;
