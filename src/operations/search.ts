import { sql } from 'kysely';
import * as z from 'zod';
import { invalid } from '../domain/error.ts';
import { FOUND_KINDS } from '../domain/kinds.ts';
import { LIMITS } from '../domain/text/text.ts';
import { meantBy } from '../store/lists/meant.ts';
import { recordsOf } from '../store/lists/timeline.ts';
import { eligibleRecords, searchEverything } from '../store/search/everything.ts';
import { entry } from './entries/entry.ts';
import { briefEntry, entryNames, viewEntries } from './entries/entry-view.ts';
import { foundEntries } from './entries/found.ts';
import { lookedFor } from './entries/looked.ts';
import { asOf, cursor, limitOfSearch, text } from './fields/basic.ts';
import { LOG_FILTER, logFilter, shownFilter, toFilter } from './fields/filter.ts';
import { defineOperation } from './operation.ts';
import { answeredFields, answeredWhen, briefAnswered, viewAnswered } from './results/answered.ts';
import { degraded, emptyWorkspace, workspaceWhen } from './results/fields.ts';
import { viewWholeThenNames, wholeThenNames } from './results/names.ts';
import { askedPage, moreWith, nextCursor, pageAsked } from './results/page.ts';

/** Characters shown of each text. */
const LONGEST_TEXT = 400;
/** The filter is among the words of the question. */
const { filter: _, ...narrowing } = logFilter();

export const search = defineOperation({
  name: 'search',
  family: 'decisions',
  title: 'Search everything',
  summary: 'Search decisions, observations, memos and checkpoints at once, the best answer first.',
  access: 'read',
  tool: false,
  positional: ['query'],
  input: z.strictObject({
    query: text(
      LIMITS.query,
      'Words to look for, and scope:auth topic:auth:token by:kim since:2w outcome:failed kind:memo',
    ).meta({ words: true }),
    ...narrowing,
    limit: limitOfSearch(),
    cursor: cursor(),
    as_of: asOf(),
  }),
  output: z.object({
    ...answeredFields(),
    results: z.array(entry),
    words: z.array(z.string()).describe('Prefixes of the words that were looked for, to highlight them'),
    more: z.boolean().describe('More was found than is shown'),
    next_cursor: nextCursor(),
    workspace: emptyWorkspace(),
    degraded: degraded(),
  }),
  embeddingQuery: ({ query }) => query,
  async run(tx, input) {
    const { query, limit } = input;
    const { from, cursorTo } = askedPage(tx, 'search', input);
    const [shown = 0] = from ?? [];
    const { words, ...filter } = toFilter('search', { ...input, filter: query }, LOG_FILTER, tx.now);
    if (words === undefined)
      throw invalid.missing(
        'search: Expected words to look for, found a filter alone. Without words, decision_list ("precedent list") and timeline ("precedent log") take one.',
      );
    const all = eligibleRecords(undefined);
    const narrowed = recordsOf(tx, await meantBy(tx, filter));
    const eligible = narrowed ? sql`${all} and ${narrowed}` : all;
    const { found, next, isAnswered, asked } = await searchEverything(tx, words, {
      ...pageAsked(limit),
      from: shown,
      eligible,
    });
    const results = await foundEntries(tx, found, asked, { shown: LONGEST_TEXT });
    return {
      ...answeredWhen(isAnswered, asked),
      ...(!isAnswered &&
        (await lookedFor(tx, {
          what: 'record',
          kinds: FOUND_KINDS,
          query: words,
          eligible,
          all,
          filter: shownFilter(input, query),
        }))),
      results,
      words: asked.found.toSorted(),
      more: next !== undefined,
      ...(next !== undefined && { next_cursor: cursorTo([next]) }),
      ...workspaceWhen(results.length === 0, tx.workspace),
    };
  },
  toModel: ({ results, next_cursor: next, words: __, answered, looked, read_as, ...rest }) => ({
    ...briefAnswered({ answered, looked, read_as }, results.length),
    ...wholeThenNames(results, answered !== false, briefEntry, entryNames, next),
    ...rest,
  }),
  view: ({ results, next_cursor, workspace, ...said }) => [
    ...viewAnswered(said, results.length, 0, workspace),
    ...viewWholeThenNames(results, said.answered !== false, viewEntries, entryNames),
    ...moreWith(next_cursor),
  ],
});
