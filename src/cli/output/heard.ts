import type { MemoryCore } from '../../memory/core.ts';
import { copied, counted, good, indented, line, type View, warn } from '../../operations/view.ts';

type Merged = NonNullable<Awaited<ReturnType<MemoryCore['import']>>['merged']>;

/** So many topics that were decided twice are shown whole: they are said at every sync until they are settled. */
const TWICE = 5;

/** What came from others, by a sync or an import. @param between is shown after what came */
export function viewOfHeard(
  { came, blanked, settled, overridden, decidedTwice, warnings }: Merged,
  between: View,
): View {
  return [
    ...came.map(({ author, records }) =>
      line(good('↓ '), `${counted(records, 'record')} from ${author || 'an unnamed author'}`),
    ),
    ...blanked.map((reference) => line(good('↓ '), `blanked ${reference}, as on another machine`)),
    ...between,
    ...overridden.flatMap(({ topic, was, by }) => [
      line(warn(`! no longer binds: ${topic ?? was.id}  ${was.text}`)),
      indented(`${by.id.slice(0, 8)}  ${by.author || 'an unnamed author'} replaced it: ${by.text}`),
      copied('precedent review'),
    ]),
    ...settled.map(({ topic, id, text, author }) =>
      line(good('✔ '), `settled by ${author || 'an unnamed author'}: ${topic ?? id}  ${text}`),
    ),
    ...decidedTwice
      .slice(0, TWICE)
      .flatMap(({ topic, heads, sides, settle }) => [
        line(warn(`! decided twice: ${topic ?? heads[0]?.id}`)),
        ...sides.map((side) => indented(side)),
        copied(settle),
      ]),
    ...(decidedTwice.length > TWICE
      ? [
          line(warn(`! and ${decidedTwice.length - TWICE} more decided twice. To see all:`)),
          copied('precedent list is:forked'),
        ]
      : []),
    ...warnings.map((warning) => line(warn(`! ${warning}`))),
  ];
}
