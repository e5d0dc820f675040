import * as z from 'zod';
import { CONTENT_SHOWN, excerpt } from '../../domain/text/text.ts';
import { countRelations } from '../../store/observations/relation.ts';
import { searchObservations } from '../../store/search/observations.ts';
import { query, wholeNumber } from '../fields/basic.ts';
import { kind, observationScope, project } from '../fields/observation.ts';
import { defineOperation } from '../operation.ts';
import { degraded, emptyWorkspace, iso, nothingFound, resultDate, workspaceWhen } from '../results/fields.ts';
import { dim, indented, line, strong } from '../view.ts';

export const memSearch = defineOperation({
  name: 'mem_search',
  family: 'observations',
  title: 'Search observations',
  summary:
    'Search the memory for observations (knowledge that is no decision) by telling words, in the language they were saved in. relation_count tells which are well connected: follow those with mem_build_context. mem_get_observation reads one whole.',
  access: 'read',
  idempotent: true,
  searchHint: 'search memory, remembered knowledge, bugs',
  positional: ['query'],
  input: z.strictObject({
    query: query().optional(),
    type: kind('Only this kind').optional(),
    project: project('Only this project').optional(),
    scope: observationScope('Only this scope').optional(),
    limit: wholeNumber(1, 50, 'Results at most').default(10),
  }),
  output: z.object({
    results: z.array(
      z.object({
        id: z.int(),
        title: z.string(),
        type: z.string(),
        content: z.string(),
        relation_count: z.int().meta({ description: 'In both directions' }),
        project: z.string().nullable(),
        scope: z.string(),
        topic_key: z.string().nullable(),
        similarity: z.number(),
        created_at: resultDate(),
        updated_at: resultDate(),
      }),
    ),
    total: z.int().meta({ description: 'Observations that matched, shown or not' }),
    workspace: emptyWorkspace(),
    degraded: degraded(),
  }),
  asks: ({ query }) => query,
  async run(tx, question) {
    const { hits, total } = await searchObservations(tx, question);
    const counts = await countRelations(
      tx,
      hits.map((hit) => hit.observation.id),
    );
    return {
      results: hits.map(({ observation, similarity }) => {
        const count = counts.get(observation.id);
        return {
          id: observation.id,
          title: observation.title,
          type: observation.type,
          content: excerpt(observation.content, CONTENT_SHOWN, 'mem_get_observation has all'),
          relation_count: (count?.outgoing ?? 0) + (count?.incoming ?? 0),
          project: observation.project,
          scope: observation.scope,
          topic_key: observation.topicKey,
          similarity,
          created_at: iso(observation.createdAt),
          updated_at: iso(observation.updatedAt),
        };
      }),
      total,
      ...workspaceWhen(hits.length === 0, tx.workspace),
    };
  },
  view({ results, total, workspace }) {
    if (results.length === 0) return nothingFound(workspace);
    return [
      ...results.flatMap((row) => [
        line(
          strong(`#${row.id} ${row.title}`),
          dim(
            `  ${row.type} · relations ${row.relation_count}${row.similarity ? ` · similarity ${row.similarity}` : ''}`,
          ),
        ),
        indented(row.content),
        line(''),
      ]),
      line(dim(`${results.length} shown, ${total} found`)),
    ];
  },
});
