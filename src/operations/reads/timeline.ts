import * as z from 'zod';
import { type Reported, readHappened } from '../../store/lists/happened.ts';
import { meantBy } from '../../store/lists/meant.ts';
import { listTimeline, placeOf } from '../../store/lists/timeline.ts';
import { asOf, cursor, full, wholeNumber } from '../fields/basic.ts';
import { LOG_FILTER, listFilter, logFilter, toFilter } from '../fields/filter.ts';
import { type Logged, logged, toLogged, viewLogged } from '../lists/logged.ts';
import { defineOperation } from '../operation.ts';
import { noneFields, noneOf, viewNone } from '../results/none.ts';
import { askedPage, moreWith, nextCursor } from '../results/page.ts';

export const timeline = defineOperation({
  name: 'timeline',
  family: 'decisions',
  title: 'The log of everything',
  summary:
    'Lists everything that happened, newest first: decisions, their outcomes and evidence, observations, memos and changes. A kind to which a part of the filter does not apply is left out.',
  access: 'read',
  tool: false,
  positional: ['filter'],
  input: z.strictObject({
    ...logFilter(),
    full: full(),
    limit: wholeNumber(1, 1_000, 'Maximum entries').default(50),
    cursor: cursor(),
    as_of: asOf(),
  }),
  output: z.object({
    entries: z.array(logged),
    next_cursor: nextCursor(),
    ...noneFields(),
  }),
  async run(tx, given) {
    const { from, cursorTo } = askedPage(tx, 'timeline', given);
    const filter = await meantBy(tx, toFilter('timeline', given, LOG_FILTER, tx.now));
    const { happened, next } = await listTimeline(tx, filter, given.limit, from);
    const reported = await readHappened(tx, happened, given.full);
    // Long texts end a page early.
    const shown = happened.slice(0, reported.length);
    const last = shown.at(-1);
    const end = last && shown.length < happened.length ? placeOf(last) : next;
    return {
      entries: shown.map((each, index) => toLogged(each, reported[index] as Reported, given.full)),
      ...(end && { next_cursor: cursorTo(end) }),
      ...(happened.length === 0 &&
        (await noneOf(tx, { what: 'record', total: 0, filter: listFilter(given, filter) }))),
    };
  },
  view: ({ entries, next_cursor, looked, workspace }) =>
    entries.length === 0
      ? viewNone(looked, workspace)
      : [...withoutRepeats(entries).flatMap(viewLogged), ...moreWith(next_cursor)],
});

/** Without the marks that go with the version which ended an undone chain: it says so itself. */
function withoutRepeats(entries: Logged[]): Logged[] {
  const undone = entries.filter(({ what }) => what === 'undone');
  const when = ({ topic, at }: Logged) => `${at} ${topic}`;
  const ended = new Set(undone.filter(({ kind }) => kind === 'decision').map(when));
  const repeated = new Set(undone.filter((each) => each.kind === 'change' && ended.has(when(each))));
  return entries.filter((each) => !repeated.has(each));
}
