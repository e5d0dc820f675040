import { sql } from 'kysely';
import { OF_VERSION } from '../../domain/filter/filter.ts';
import { decisionDocuments } from '../decisions/decision.ts';
import { ofDecision } from './condition.ts';
import { type Kind, logOf, WHO, WRITTEN } from './kind.ts';

/** An undo ends an undone chain with a version that counts as undone from its first moment. */
const whatHappened = (version: 'd' | 'x') => {
  const of = (column: string) => sql.ref(`${version}.${column}`);
  return sql<string>`case when ${of('withdrawn')} = 1 and exists (select 1 from records as own
      where own.seq = ${of('seq')} and own.retracted_at = ${of('created_at')}) then 'undone'
    when ${of('withdrawn')} = 1 then 'withdrawn' when ${of('version')} = 1 then 'decided' else 'revised' end`;
};

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
      detail: whatHappened('d'),
      read: (
        wanted,
      ) => sql`select x.seq, x.id, x.topic, x.scope, x.text, x.strength, x.outcome, x.reasoning, x.branch,
          before.text as was, ${whatHappened('x')} as happened, ${WHO}
        from ${wanted} join decisions as x on x.seq = wanted.id ${WRITTEN}
        left join decisions as before on before.root_id = x.root_id and before.version = x.version - 1`,
    }),
    from: sql`decisions as d`,
    at: sql`d.created_at`,
    number: sql`d.seq`,
    where: (tx, filter) => [ofDecision(tx, filter)],
  },
} satisfies Kind<'decisions'>;
