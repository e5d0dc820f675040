import * as z from 'zod';
import { OUTCOME_FILTERS } from '../../domain/outcome.ts';
import { LIMITS } from '../../domain/text/text.ts';
import { annotate } from '../../store/decisions/annotation.ts';
import { scopeMeant } from '../../store/decisions/scope.ts';
import { searchDecisions } from '../../store/search/decisions.ts';
import { name, query, wholeNumber } from '../fields/basic.ts';
import { defineOperation } from '../operation.ts';
import { type FoundRow, foundRow, toDecisionRow, viewDecisionRow } from '../results/decision-row.ts';
import { degraded, emptyWorkspace, nothingFound, workspaceWhen } from '../results/fields.ts';
import { dim, line } from '../view.ts';

export const mamaSearch = defineOperation({
  name: 'mama_search',
  family: 'decisions',
  title: 'Search decisions',
  summary:
    'Find decisions by meaningful words, in the language they were saved in, before deciding anything. The decision that stands comes first, then what it replaced; failures carry a warning. Without a query: the newest.',
  access: 'read',
  idempotent: true,
  essential: true,
  positional: ['query'],
  input: z.strictObject({
    query: query().optional(),
    limit: wholeNumber(1, 50, 'Results at most').default(10),
    domain: name(LIMITS.scope, 'Only decisions of this scope').optional(),
    outcome_filter: z
      .enum(OUTCOME_FILTERS)
      .optional()
      .meta({ description: 'Only decisions with this outcome; pending: none yet' }),
    history: z
      .boolean()
      .default(false)
      .meta({ description: 'Every version that matches, not only what stands' }),
  }),
  output: z.object({
    results: z.array(foundRow),
    total: z
      .int()
      .meta({ description: 'Chains that matched, shown or not; with history or outcome_filter, versions' }),
    workspace: emptyWorkspace(),
    degraded: degraded(),
  }),
  asks: ({ query }) => query,
  async run(tx, { query, limit, domain: asked, outcome_filter: outcome, history }) {
    const domain = await scopeMeant(tx, asked);
    const { hits, total } = await searchDecisions(tx, { query, limit, domain, outcome, history });
    const annotationOf = await annotate(
      tx,
      hits.map((hit) => hit.decision),
    );
    return {
      results: hits.map(({ decision, similarity }) => ({
        ...toDecisionRow(decision, annotationOf(decision)),
        similarity,
      })),
      total,
      ...workspaceWhen(hits.length === 0, tx.workspace),
    };
  },
  view({ results, total, workspace }) {
    if (results.length === 0) return nothingFound(workspace);
    return [
      ...results.flatMap((row) => [...viewDecisionRow(row), line('')]),
      line(dim(summary(total, results))),
    ];
  },
});

/** How many decisions were found and are shown, and how many earlier versions with them. */
function summary(total: number, results: FoundRow[]): string {
  const earlier = results.filter((row) => !row.is_current && !row.withdrawn).length;
  const replaced = earlier > 0 ? `, and ${earlier} earlier` : '';
  return `${total} found, ${results.length - earlier} shown${replaced}`;
}
