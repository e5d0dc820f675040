import { sql } from 'kysely';
import * as z from 'zod';
import { CONTENT_SHOWN, excerpt } from '../../domain/text/text.ts';
import { allOf, within, writerOf, writtenBy } from '../../store/kinds/condition.ts';
import { meantBy } from '../../store/lists/meant.ts';
import { countRelations } from '../../store/observations/relation.ts';
import { matchedWords } from '../../store/search/matched.ts';
import { eligibleObservations, searchObservations } from '../../store/search/observations.ts';
import type { Tx } from '../../store/tx.ts';
import { hasSeveralAuthors } from '../../store/writer.ts';
import { lookedFor } from '../entries/looked.ts';
import { asOf, cursor, limitOfSearch, query } from '../fields/basic.ts';
import { askedOf, toFilter } from '../fields/filter.ts';
import { kind, observationScope, project } from '../fields/observation.ts';
import { defineOperation } from '../operation.ts';
import { answeredFields, answeredWhen, briefAnswered } from '../results/answered.ts';
import { degraded, emptyWorkspace, workspaceWhen } from '../results/fields.ts';
import { wholeThenNames } from '../results/names.ts';
import {
  briefObservationRow,
  observationName,
  observationRow,
  toObservationRow,
} from '../results/observation-row.ts';
import { askedPage, nextCursor, pageAsked } from '../results/page.ts';

export const memSearch = defineOperation({
  name: 'mem_search',
  family: 'observations',
  title: 'Search observations',
  summary:
    'Search the memory for observations (knowledge that is not a decision) in several wordings and languages at once. relation_count tells which are well connected: follow those with mem_build_context.',
  access: 'read',
  searchHint: 'search memory, remembered knowledge, bugs',
  positional: ['query'],
  input: z.strictObject({
    query: query().optional(),
    type: kind('Only this kind').optional(),
    project: project('Only this project').optional(),
    scope: observationScope('Only this scope').optional(),
    ...askedOf(),
    limit: limitOfSearch(),
    cursor: cursor(),
    as_of: asOf(),
  }),
  output: z.object({
    ...answeredFields(),
    results: z.array(observationRow),
    total: z.int().describe('Observations that matched, shown or not'),
    next_cursor: nextCursor(),
    workspace: emptyWorkspace(),
    degraded: degraded(),
  }),
  embeddingQuery: ({ query }) => query,
  async run(tx, question) {
    const { from, cursorTo } = askedPage(tx, 'mem_search', question);
    const only = await narrowing(tx, question);
    const { hits, total, next, isAnswered, asked } = await searchObservations(tx, {
      ...question,
      ...pageAsked(question.limit),
      only,
      from,
    });
    const ids = hits.map(({ stored }) => stored.id);
    const counts = await countRelations(tx, ids);
    const namesAuthors = await hasSeveralAuthors(tx);
    const matched = await matchedWords(
      tx,
      asked,
      hits.map(({ stored: { seq, title, content } }) => ({
        seq,
        shown: `${title}\n${excerpt(content, CONTENT_SHOWN, '')}`,
      })),
    );
    const { type, project, scope, author, since } = question;
    return {
      ...answeredWhen(isAnswered, asked),
      ...((!isAnswered || hits.length === 0) &&
        (await lookedFor(tx, {
          what: 'note',
          kinds: ['observation'],
          query: question.query,
          eligible: eligibleObservations({ type, project, scope, only }),
          all: eligibleObservations({}),
          filter: { type, project, scope, author, since },
        }))),
      results: hits.map(({ stored, similarity, nearness, successor }) =>
        toObservationRow(stored, {
          relations: counts.get(stored.id),
          matched: matched.get(stored.seq),
          supersededBy: successor ?? undefined,
          similarity,
          nearness,
          namesAuthors,
        }),
      ),
      total,
      ...(next && { next_cursor: cursorTo(next) }),
      ...workspaceWhen(hits.length === 0, tx.workspace),
    };
  },
  toModel: ({ results, next_cursor: next, answered, looked, read_as, ...rest }) => ({
    ...briefAnswered({ answered, looked, read_as }, results.length),
    ...wholeThenNames(
      results,
      answered !== false,
      briefObservationRow,
      (row) => [observationName(row)],
      next,
    ),
    ...rest,
  }),
});

/** Whose observations, and since when, as a condition on `observations as o`. */
async function narrowing(
  tx: Tx,
  { author, since }: { author?: string | undefined; since?: string | undefined },
) {
  if (author === undefined && since === undefined) return undefined;
  const filter = await meantBy(tx, toFilter('mem_search', { author, since }, ['by', 'since'], tx.now));
  return allOf([
    within(sql`o.updated_at`, { ...filter, byDate: true }, sql`o.seq`),
    writtenBy(tx, writerOf(sql`o.seq`), filter),
  ]);
}
