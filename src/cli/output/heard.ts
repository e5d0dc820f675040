import { settling } from '../../domain/decided-twice.ts';
import type { MemoryCore } from '../../memory/core.ts';
import { counted, dim, good, indented, line, type View, warn } from '../../operations/view.ts';

type Merged = NonNullable<Awaited<ReturnType<MemoryCore['import']>>['merged']>;

/** What came from others, by a sync or an import. @param between is shown after what came */
export function viewOfHeard(
  { came, blanked, overridden, decidedTwice, warnings }: Merged,
  between: View,
): View {
  return [
    ...came.map(({ author, records }) =>
      line(good('↓ '), `${counted(records, 'record')} from ${author || 'nobody named'}`),
    ),
    ...blanked.map((reference) => line(good('↓ '), `blanked ${reference}, as on another machine`)),
    ...between,
    ...overridden.flatMap(({ topic, was, by }) => [
      line(warn(`! binds no longer: ${topic ?? was.id}  ${was.text}`)),
      indented(`${by.id.slice(0, 8)}  ${by.author || 'nobody named'} replaced it: ${by.text}`),
      indented(dim('precedent review')),
    ]),
    ...decidedTwice.flatMap(({ topic, heads }) => [
      line(warn(`! decided twice: ${topic ?? heads[0]?.id}`)),
      ...heads.map(({ id, text, strength, withdrawn }) =>
        indented(
          `${id.slice(0, 8)}  ${withdrawn ? 'withdrawn: ' : strength === 'normal' ? '' : `${strength}: `}${text}`,
        ),
      ),
      ...heads.slice(-1).map(({ id }) => indented(dim(settling({ id, topic }, heads)))),
    ]),
    ...warnings.map((warning) => line(warn(`! ${warning}`))),
  ];
}
