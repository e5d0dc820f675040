import * as z from 'zod';
import { LIMITS } from '../domain/text/text.ts';
import { searchEverything } from '../store/search/everything.ts';
import { entry } from './entries/entry.ts';
import { briefEntry, viewEntries } from './entries/entry-view.ts';
import { foundEntries } from './entries/found.ts';
import { cursor, text, wholeNumber } from './fields/basic.ts';
import { project } from './fields/observation.ts';
import { defineOperation } from './operation.ts';
import { degraded, emptyWorkspace, nothingFound, workspaceWhen } from './results/fields.ts';
import { askedPage, moreWith, nextCursor } from './results/page.ts';
import { dim, line } from './view.ts';

/** Characters shown of each text. */
const SHOWN = 400;

export const search = defineOperation({
  name: 'search',
  family: 'decisions',
  title: 'Search everything',
  summary: 'Search decisions, observations, memos and checkpoints at once, the best answer first.',
  access: 'read',
  idempotent: true,
  tool: false,
  positional: ['query'],
  cli: {
    title: 'Search decisions, notes and checkpoints',
    about: 'Searches every kind of record at once. The best answer comes first.',
    examples: ['search login token', 'search "클럭 차이" --limit 5'],
    joined: 'query',
  },
  input: z.strictObject({
    query: text(LIMITS.query, 'Words to look for'),
    project: project('Only observations of this project').optional(),
    limit: wholeNumber(1, 50, 'Results at most').default(10),
    cursor: cursor(),
  }),
  output: z.object({
    results: z.array(entry),
    more: z.boolean().meta({ description: 'More was found than is shown' }),
    next_cursor: nextCursor(),
    workspace: emptyWorkspace(),
    degraded: degraded(),
  }),
  asks: ({ query }) => query,
  async run(tx, input) {
    const { query, project, limit } = input;
    const { from, cursorTo } = askedPage(tx, 'search', input);
    const [shown = 0] = from ?? [];
    const { found, more, asked } = await searchEverything(tx, query, limit, project, shown);
    const results = await foundEntries(tx, found, asked, { shown: SHOWN });
    return {
      results,
      more,
      ...(more && { next_cursor: cursorTo([shown + limit]) }),
      ...workspaceWhen(results.length === 0, tx.workspace),
    };
  },
  brief: ({ results, next_cursor: _, ...rest }) => ({ results: results.map(briefEntry), ...rest }),
  view: ({ results, more, next_cursor, workspace }) =>
    results.length === 0
      ? nothingFound(workspace)
      : [
          ...viewEntries(results),
          ...(more ? [line(dim('There is more: raise --limit.'))] : []),
          ...moreWith(next_cursor),
        ],
});
