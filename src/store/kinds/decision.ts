import { sql } from 'kysely';
import { OF_VERSION } from '../../domain/filter/filter.ts';
import { decisionDocuments } from '../decisions/decision.ts';
import { ofDecision } from './condition.ts';
import { type Kind, logOf, WHO, WRITTEN } from './kind.ts';

/** An undo ends an undone chain with a version that counts as undone from its first moment. */
const HAPPENED = sql`case when x.withdrawn = 1 and exists (select 1 from records as own
      where own.seq = x.seq and own.retracted_at = x.created_at) then 'undone'
    when x.withdrawn = 1 then case when own.withdrawn = 0 then 'joined' else 'withdrawn' end when x.version = 1 then 'decided' when own.id is null then 'revised'
    when x.text <> own.text then 'worded' when x.scope <> own.scope or x.files is distinct from own.files then 'moved'
    when coalesce(substr(x.reasoning, 1, length(own.reasoning)), '') <> coalesce(own.reasoning, '') then 'worded'
    when coalesce(before.tidies, before.id) = own.id and not exists (select 1 from records as u
        where u.seq = before.seq and u.retracted_at is not null)
      then case when x.reasoning like '%alongside:%' and coalesce(own.reasoning, '') not like '%alongside:%' then 'linked' else 'worded' end
    else 'brought back' end`;

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
      read: (
        wanted,
      ) => sql`select x.seq, x.id, x.topic, x.scope, x.text, x.strength, x.outcome, x.reasoning, x.branch,
          before.text as was, ${HAPPENED} as happened, ${WHO}
        from ${wanted} join decisions as x on x.seq = wanted.id ${WRITTEN}
        left join decisions as own on own.id = x.tidies
        left join decisions as before on before.root_id = x.root_id and before.version = x.version - 1`,
    }),
    from: sql`decisions as d`,
    at: sql`d.created_at`,
    number: sql`d.seq`,
    where: (tx, filter) => [ofDecision(tx, filter, true)],
  },
} satisfies Kind<'decisions'>;
