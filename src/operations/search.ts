import * as z from 'zod';
import { PrecedentError } from '../domain/error.ts';
import { LIMITS } from '../domain/text/text.ts';
import { meantBy } from '../store/lists/meant.ts';
import { recordsOf } from '../store/lists/timeline.ts';
import { searchEverything } from '../store/search/everything.ts';
import { entry } from './entries/entry.ts';
import { briefEntry, viewEntries } from './entries/entry-view.ts';
import { foundEntries } from './entries/found.ts';
import { asOf, cursor, text, wholeNumber } from './fields/basic.ts';
import { LOG_FILTER, logFilter, toFilter } from './fields/filter.ts';
import { defineOperation } from './operation.ts';
import { degraded, emptyWorkspace, nothingFound, workspaceWhen } from './results/fields.ts';
import { askedPage, moreWith, nextCursor } from './results/page.ts';
import { dim, line } from './view.ts';

/** Characters shown of each text. */
const SHOWN = 400;
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
    limit: wholeNumber(1, 50, 'Results at most').default(10),
    cursor: cursor(),
    as_of: asOf(),
  }),
  output: z.object({
    results: z.array(entry),
    more: z.boolean().meta({ description: 'More was found than is shown' }),
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
      throw new PrecedentError(
        'invalid',
        'search: Expected words to look for, found a filter alone. Without words, decision_list ("precedent list") and timeline ("precedent log") take one.',
      );
    const eligible = recordsOf(tx, await meantBy(tx, filter));
    const { found, more, asked } = await searchEverything(tx, words, { limit, from: shown, eligible });
    const results = await foundEntries(tx, found, asked, { shown: SHOWN });
    return {
      results,
      more,
      ...(more && { next_cursor: cursorTo([shown + limit]) }),
      ...workspaceWhen(results.length === 0, tx.workspace),
    };
  },
  toModel: ({ results, next_cursor: _, ...rest }) => ({ results: results.map(briefEntry), ...rest }),
  view: ({ results, more, next_cursor, workspace }) =>
    results.length === 0
      ? nothingFound(workspace)
      : [
          ...viewEntries(results),
          ...(more ? [line(dim('There is more: raise --limit.'))] : []),
          ...moreWith(next_cursor),
        ],
});
