import { sql } from 'kysely';
import { observationDocument } from '../observations/observation.ts';
import { type Condition, holding, is, type Meant } from './condition.ts';
import { type Kind, logOf, WHO, WRITTEN } from './kind.ts';

/** The condition of a filter on an observation. @param alias the table of observations */
export const ofObservation = (alias: string, { topic, project, type }: Meant): (Condition | undefined)[] => [
  is(sql.ref(`${alias}.topic_key`), topic),
  is(sql.ref(`${alias}.project`), project),
  is(sql.ref(`${alias}.type`), type),
];

export const observation = {
  table: 'observations',
  at: 'created_at',
  title: 'title',
  text: 'content',
  document: observationDocument,
  findable: (
    project,
  ) => sql`exists (select 1 from observations as o where o.seq = r.seq and o.deleted_at is null
    and ${project === undefined ? sql`1 = 1` : sql`o.project = ${project}`})`,
  log: logOf('observations', {
    answers: ['topic', 'project', 'type', 'words'],
    where: (tx, filter) => [...ofObservation('x', filter), holding(tx, sql`x.seq`, filter.words)],
    read: (
      wanted,
      characters,
    ) => sql`select x.seq, x.id as observation_id, coalesce(f.title, x.title) as title, x.title as called,
        substr(coalesce(f.content, x.content), 1, ${characters}) as text, x.deleted_at, ${WHO}
      from ${wanted} join observations as x on x.seq = wanted.id ${WRITTEN}
      left join observation_revisions as f on f.observation_id = x.id and f.revision = 1`,
  }),
  texts: ({ id }) => [
    { table: 'observationRevisions', where: sql`observation_id = ${id}`, apart: String(id) },
    { table: 'relations', where: sql`from_id = ${id} or to_id = ${id}` },
    {
      table: 'origins',
      where: sql`relation_id in (select r.id from relations as r where r.from_id = ${id} or r.to_id = ${id})`,
    },
  ],
} satisfies Kind<'observations'>;
