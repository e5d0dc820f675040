import { sql } from 'kysely';
import { evidenceDocument } from '../decisions/evidence.ts';
import { notRetracted } from '../record.ts';
import { about, holding, OF_CHAIN } from './condition.ts';
import { type Kind, logOf, WRITTEN, whoOf } from './kind.ts';

export const evidence = {
  table: 'evidence',
  at: 'timestamp',
  text: 'content',
  document: evidenceDocument,
  // It is found as the decision that it belongs to.
  findable: () => sql`exists (select 1 from evidence as e join decisions as d on d.id = e.decision_ref
    where e.seq = r.seq and ${notRetracted('d.seq')})`,
  log: logOf(
    'evidence',
    {
      answers: [...OF_CHAIN, 'words'],
      where: (tx, { words, ...filter }) => [
        holding(tx, sql`x.seq`, words),
        about(tx, sql`x.decision_ref`, filter),
      ],
      read: (
        wanted,
        characters,
      ) => sql`select x.seq, x.id, d.topic, d.scope, substr(x.content, 1, ${characters}) as text, ${whoOf(sql`x.timestamp`)}
        from ${wanted} join evidence as x on x.seq = wanted.id join decisions as d on d.id = x.decision_ref ${WRITTEN}`,
    },
    'timestamp',
  ),
} satisfies Kind<'evidence'>;
