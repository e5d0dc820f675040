import * as z from 'zod';
import { type FilterKey, OF_VERSION } from '../../domain/filter/filter.ts';
import { idsOf } from '../../domain/id.ts';
import { meantBy } from '../../store/lists/meant.ts';
import { listDecisions } from '../../store/lists/records.ts';
import { undoersOf } from '../../store/record.ts';
import { OF_DECISIONS } from '../../store/search/looked.ts';
import { defineDocument } from '../documents.ts';
import { asOf, cursor, full, reverse, wholeNumber } from '../fields/basic.ts';
import { commonFilter, decisionFilter, listFilter, stateFilter, toFilter } from '../fields/filter.ts';
import { listedDecision, listedDecisions, viewListedDecision } from '../lists/listed-decision.ts';
import { contradictionsAmong, outdatedAmong } from '../results/contradicted.ts';
import { noneFields, noneOf, viewNone } from '../results/none.ts';
import { askedPage, nextCursor, shownOf } from '../results/page.ts';
import { toUndone } from '../results/writer.ts';
import { dim, line, type View } from '../view.ts';

const KNOWN: FilterKey[] = [...OF_VERSION, 'since', 'until', 'state', 'contradicted', 'outdated'];

export const decisionList = defineDocument({
  name: 'decision_list',
  family: 'decisions',
  title: 'List active decisions',
  summary:
    'Lists the active decisions, newest first: all of them, page by page, or those that pass a filter.',
  access: 'read',
  tool: false,
  positional: ['filter'],
  input: z.strictObject({
    ...commonFilter(),
    ...decisionFilter(),
    ...stateFilter(),
    full: full(),
    reverse: reverse(),
    limit: wholeNumber(1, 1_000, 'Maximum decisions').default(50),
    cursor: cursor(),
    asOf: asOf(),
  }),
  output: z.object({
    decisions: z.array(listedDecision),
    total: z.int().describe('How many pass the filter, shown or not'),
    next_cursor: nextCursor(),
    inactive: z
      .int()
      .optional()
      .describe('If no active decision passes: the number of earlier or withdrawn versions that pass'),
    beside: z.string().optional().describe('What a list of this filter leaves out, and what shows it'),
    ...noneFields(),
  }),
  async run(tx, given) {
    const { from, cursorTo } = askedPage(tx, 'decision_list', given);
    const { contradicted, outdated, ...meant } = await meantBy(
      tx,
      toFilter('decision_list', given, KNOWN, tx.now),
    );
    const contradictions = contradicted ? await contradictionsAmong(tx, meant) : undefined;
    const alike = contradictions ? { ...meant, ids: [...contradictions.keys()] } : meant;
    const copies = outdated ? await outdatedAmong(tx, alike) : undefined;
    const filter = copies ? { ...alike, ids: [...copies.keys()] } : alike;
    const { rows, total, next } = await listDecisions(tx, filter, given.limit, from, given.reverse);
    const undoers = filter.state === 'mistaken' ? await undoersOf(tx, idsOf(rows)) : undefined;
    const isEmpty = rows.length === 0 && from === undefined;
    const inactive =
      isEmpty && filter.state === undefined
        ? (await listDecisions(tx, { ...filter, state: 'any' }, 1, undefined)).total
        : 0;
    return {
      decisions: (await listedDecisions(tx, rows, given.full)).map((row) => {
        const contradicts = contradictions?.get(row.id);
        const replaced = copies?.get(row.id);
        return {
          ...row,
          ...(undoers && { mistaken: true, ...toUndone(undoers.get(row.id)) }),
          ...(contradicts && { contradicts }),
          ...(replaced && { outdated: replaced }),
        };
      }),
      total,
      ...(next && { next_cursor: cursorTo(next) }),
      ...(inactive > 0 && { inactive }),
      ...((contradicted || outdated) && { beside: OTHER_WORDS }),
      ...(filter.state === 'mistaken' && { beside: OTHER_KINDS }),
      ...(rows.length === 0 &&
        (await noneOf(tx, {
          what: 'decision',
          total,
          filter: listFilter(given, filter),
          fields: OF_DECISIONS,
        }))),
    };
  },
  view: ({ decisions, total, next_cursor, inactive, beside, looked, workspace }) => [
    ...decisions.flatMap(viewListedDecision),
    ...(decisions.length === 0 ? viewNone(looked, workspace) : shownOf(decisions.length, total, next_cursor)),
    ...earlier(inactive),
    ...(beside === undefined ? [] : [line(dim(beside))]),
  ],
});

const OTHER_WORDS =
  'Compared by words alone. In other words or another language: "precedent review --since 6w" compares hints, "precedent review --ask" asks a model.';
const OTHER_KINDS = 'Decisions alone. Undone notes, memos and outcomes: "precedent log kind:change".';

/** How to see the versions that a listing of active decisions leaves out. */
const earlier = (count = 0): View =>
  count === 0 ? [] : [line(dim(`Found among inactive versions: ${count}. state:any shows them.`))];
