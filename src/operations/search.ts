import * as z from 'zod';
import { LIMITS } from '../domain/text/text.ts';
import { searchEverything } from '../store/search/everything.ts';
import { entry } from './entries/entry.ts';
import { briefEntry, viewEntry } from './entries/entry-view.ts';
import { foundEntries } from './entries/found.ts';
import { text, wholeNumber } from './fields/basic.ts';
import { project } from './fields/observation.ts';
import { defineOperation } from './operation.ts';
import { degraded, emptyWorkspace, nothingFound, workspaceWhen } from './results/fields.ts';
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
  input: z.strictObject({
    query: text(LIMITS.query, 'Words to look for'),
    project: project('Only observations of this project').optional(),
    limit: wholeNumber(1, 50, 'Results at most').default(10),
  }),
  output: z.object({
    results: z.array(entry),
    more: z.boolean().meta({ description: 'More was found than is shown' }),
    workspace: emptyWorkspace(),
    degraded: degraded(),
  }),
  asks: ({ query }) => query,
  async run(tx, { query, project, limit }) {
    const { found, more, asked } = await searchEverything(tx, query, limit, project);
    const results = await foundEntries(tx, found, asked, { shown: SHOWN });
    return { results, more, ...workspaceWhen(results.length === 0, tx.workspace) };
  },
  brief: ({ results, ...rest }) => ({ results: results.map(briefEntry), ...rest }),
  view: ({ results, more, workspace }) =>
    results.length === 0
      ? nothingFound(workspace)
      : [
          ...results.flatMap((each) => [...viewEntry(each), line('')]),
          ...(more ? [line(dim('There is more: raise --limit.'))] : []),
        ],
});
