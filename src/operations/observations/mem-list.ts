import * as z from 'zod';
import { type FilterKey, OF_WRITER } from '../../domain/filter/filter.ts';
import { idsOf } from '../../domain/id.ts';
import { LIMITS } from '../../domain/text/text.ts';
import { meantBy } from '../../store/lists/meant.ts';
import { listObservations } from '../../store/lists/records.ts';
import { countRelations } from '../../store/observations/relation.ts';
import { FILTERED } from '../../store/search/looked.ts';
import { hasSeveralAuthors } from '../../store/writer.ts';
import { asOf, cursor, full, name, reverse, wholeNumber } from '../fields/basic.ts';
import { commonFilter, listFilter, observationFilter, toFilter } from '../fields/filter.ts';
import { defineOperation } from '../operation.ts';
import { noneFields, noneOf, viewNone } from '../results/none.ts';
import { noted, shownNoted, toNoted } from '../results/observation.ts';
import { observationRow, toObservationRow } from '../results/observation-row.ts';
import { askedPage, nextCursor, shownOf } from '../results/page.ts';
import { dim, entry } from '../view.ts';

const KNOWN: FilterKey[] = ['topic', ...OF_WRITER, 'project', 'type', 'since', 'until', 'words'];
const row = observationRow
  .omit({ similarity: true, nearness: true, matched: true })
  .extend({ deleted: z.boolean().optional(), ...noted });

export const memList = defineOperation({
  name: 'mem_list',
  family: 'observations',
  title: 'List observations',
  summary: 'Lists observations, last saved first: all of them, page by page, or those that pass a filter.',
  access: 'read',
  tool: false,
  positional: ['filter'],
  input: z.strictObject({
    ...commonFilter(),
    ...observationFilter(),
    topic: name(LIMITS.topic, 'Only the observations with this topic key').optional(),
    deleted: z.boolean().default(false).describe('Also those that were deleted'),
    full: full(),
    reverse: reverse(),
    limit: wholeNumber(1, 1_000, 'Maximum observations').default(50),
    cursor: cursor(),
    as_of: asOf(),
  }),
  output: z.object({
    results: z.array(row),
    total: z.int().describe('How many pass the filter, shown or not'),
    next_cursor: nextCursor(),
    ...noneFields(),
  }),
  async run(tx, given) {
    const { from, cursorTo } = askedPage(tx, 'mem_list', given);
    const filter = await meantBy(tx, toFilter('mem_list', given, KNOWN, tx.now));
    const { rows, total, next } = await listObservations(tx, filter, given, given.limit, from);
    const counts = await countRelations(tx, idsOf(rows));
    const namesAuthors = await hasSeveralAuthors(tx);
    return {
      results: rows.map((each) => {
        const found = { relations: counts.get(each.id), matched: undefined, similarity: 0, namesAuthors };
        const { similarity: _, ...listed } = toObservationRow(each, found);
        const content = given.full ? each.content : listed.content;
        const deleted = each.deletedAt !== null && { deleted: true };
        return { ...listed, content, ...deleted, ...toNoted(each) };
      }),
      total,
      ...(next && { next_cursor: cursorTo(next) }),
      ...(rows.length === 0 &&
        (await noneOf(tx, { what: 'note', total, filter: listFilter(given, filter), fields: FILTERED }))),
    };
  },
  view: ({ results, total, next_cursor, looked, workspace }) =>
    results.length === 0
      ? viewNone(looked, workspace)
      : [
          ...results.map((each) =>
            entry({
              mark: dim('·'),
              ref: `#${each.id}`,
              at: each.created_at,
              who: shownNoted(each),
              what: [each.type, each.deleted && 'deleted'].filter(Boolean).join(', '),
              title: each.title,
              text: each.content,
            }),
          ),
          ...shownOf(results.length, total, next_cursor),
        ],
});
