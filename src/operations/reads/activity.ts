import * as z from 'zod';
import { LISTED_KINDS } from '../../domain/filter/filter.ts';
import { beginningsOf, PERIODS } from '../../domain/filter/periods.ts';
import { KINDS } from '../../domain/kinds.ts';
import { dayOf, iso } from '../../domain/text/moment.ts';
import { meantBy } from '../../store/lists/meant.ts';
import { type Count, countActivity, spanOf } from '../../store/lists/timeline.ts';
import { asOf } from '../fields/basic.ts';
import { LOG_FILTER, logFilter, toFilter } from '../fields/filter.ts';
import { whatHappened } from '../lists/logged.ts';
import { defineOperation } from '../operation.ts';
import { emptyWorkspace, nothingFound, workspaceWhen } from '../results/fields.ts';
import { counted, dim, line, strong } from '../view.ts';

const period = z.object({
  from: z.string().describe('The first day of the period, in the time zone of the machine that is asked'),
  total: z.int(),
  counts: z
    .array(z.object({ kind: z.enum(LISTED_KINDS), count: z.int() }))
    .describe('How many of each kind, the most frequent first'),
});

export const activity = defineOperation({
  name: 'activity',
  family: 'decisions',
  title: 'How much happened when',
  summary:
    'Counts what happened by day, week or month, the newest first: decisions, outcomes, evidence, observations, memos, changes. A period in which nothing happened is left out.',
  access: 'read',
  tool: false,
  positional: ['filter'],
  input: z.strictObject({
    ...logFilter(),
    byPeriod: z.enum(PERIODS).default('week').describe('How long a period is; weeks begin on Monday'),
    asOf: asOf(),
  }),
  output: z.object({
    periods: z.array(period),
    happened: z
      .array(z.object({ kind: z.enum(LISTED_KINDS), what: z.string(), count: z.int() }))
      .describe('In all of them, by what happened as timeline names it, the most frequent first'),
    total: z.int(),
    workspace: emptyWorkspace(),
  }),
  async run(tx, given) {
    const filter = await meantBy(tx, toFilter('activity', given, LOG_FILTER, tx.now));
    const span = await spanOf(tx, filter);
    const beginnings = span ? beginningsOf(given.byPeriod, span.first, span.last) : [];
    const counts = await countActivity(tx, filter, beginnings);
    const periods = byPeriod(counts);
    const total = periods.reduce((sum, each) => sum + each.total, 0);
    return { periods, happened: byWhat(counts), total, ...workspaceWhen(periods.length === 0, tx.workspace) };
  },
  view: ({ periods, workspace }) =>
    periods.length === 0
      ? nothingFound(workspace)
      : periods.map(({ from, counts }) =>
          line(
            strong(from),
            dim('  '),
            counts
              .map(({ kind, count }) =>
                counted(count, kind, kind === 'change' ? undefined : KINDS[kind].plural),
              )
              .join(', '),
          ),
        ),
});

function byPeriod(counts: Count[]): z.input<typeof period>[] {
  return [...Map.groupBy(counts, ({ beginning }) => beginning)].map(([beginning, all]) => ({
    from: dayOf(iso(beginning)),
    total: sumOf(all),
    counts: [...Map.groupBy(all, kindOf)]
      .map(([kind, those]) => ({ kind, count: sumOf(those) }))
      .sort((a, b) => b.count - a.count),
  }));
}

function byWhat(counts: Count[]) {
  const shown = counts.map((each) => ({
    ...each,
    kind: kindOf(each),
    what: whatHappened(each.source, each.detail),
  }));
  return [...Map.groupBy(shown, ({ kind, what }) => `${kind} ${what}`).values()]
    .map((those) => ({ ...(those[0] as (typeof shown)[number]), count: sumOf(those) }))
    .map(({ kind, what, count }) => ({ kind, what, count }))
    .sort((a, b) => b.count - a.count);
}

/** A text that replaced another one counts as the observation, as in the log. */
const kindOf = ({ source }: Count) => (source === 'revision' ? 'observation' : source);
const sumOf = (counts: Count[]) => counts.reduce((sum, { count }) => sum + count, 0);
