import * as z from 'zod';
import type { FilterKey } from '../../domain/filter/filter.ts';
import { listDecisions } from '../../store/lists/decisions.ts';
import { meantBy } from '../../store/lists/meant.ts';
import { cursor, wholeNumber } from '../fields/basic.ts';
import { commonFilter, decisionFilter, stateFilter, toFilter } from '../fields/filter.ts';
import { listedDecision, listedDecisions, viewListedDecision } from '../lists/listed-decision.ts';
import { defineOperation } from '../operation.ts';
import { emptyWorkspace, nothingFound, workspaceWhen } from '../results/fields.ts';
import { askedPage, nextCursor, shownOf } from '../results/page.ts';

const KNOWN: FilterKey[] = [
  'scope',
  'topic',
  'by',
  'since',
  'until',
  'outcome',
  'strength',
  'state',
  'stale',
  'noEvidence',
  'failedBasis',
  'debated',
  'words',
];

export const decisionList = defineOperation({
  name: 'decision_list',
  family: 'decisions',
  title: 'List what stands',
  summary:
    'Lists the decisions that stand, the newest first: all of them, page by page, or those that pass a filter.',
  access: 'read',
  idempotent: true,
  tool: false,
  positional: ['filter'],
  cli: { examples: ['decision list', 'decision list scope:auth --strength lock'] },
  input: z.strictObject({
    ...commonFilter(),
    ...decisionFilter(),
    ...stateFilter(),
    limit: wholeNumber(1, 1_000, 'Decisions at most').default(50),
    cursor: cursor(),
  }),
  output: z.object({
    decisions: z.array(listedDecision),
    total: z.int().meta({ description: 'How many pass the filter, shown or not' }),
    nextCursor: nextCursor(),
    workspace: emptyWorkspace(),
  }),
  async run(tx, given) {
    const { from, cursorTo } = askedPage(tx, 'decision_list', given);
    const filter = await meantBy(tx, toFilter('decision_list', given, KNOWN, tx.now));
    const { rows, total, next } = await listDecisions(tx, filter, given.limit, from);
    return {
      decisions: await listedDecisions(tx, rows),
      total,
      ...(next && { nextCursor: cursorTo(next) }),
      ...workspaceWhen(rows.length === 0, tx.workspace),
    };
  },
  view: ({ decisions, total, nextCursor, workspace }) =>
    decisions.length === 0
      ? nothingFound(workspace)
      : [...decisions.flatMap(viewListedDecision), ...shownOf(decisions.length, total, nextCursor)],
});
