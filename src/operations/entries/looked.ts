import type { FoundKind } from '../../domain/kinds.ts';
import type { Eligible } from '../../store/search/hits.ts';
import { answersAnywhere, FILTERED, lookedAt } from '../../store/search/looked.ts';
import { together } from '../../store/statements.ts';
import type { Tx } from '../../store/tx.ts';
import type { Looked } from '../results/answered.ts';
import { nameLine } from '../results/names.ts';
import { saidFilter, valuesGiven } from '../results/none.ts';
import { toNamed } from './entry-view.ts';
import { foundEntries } from './found.ts';
import { notComparedWith } from './others.ts';

/** Names of what the filter leaves out that are given at most; characters of each that are read for it. */
const MOST_LEFT_OUT = 5;
const LENGTH = 200;

/** A search, as far as "no" is explained (RE-8). */
interface Search {
  what: Looked['what'];
  /** The kinds that it looks at. */
  kinds: readonly FoundKind[];
  /** What was asked; nothing for a listing. */
  query: string | undefined;
  /** Which of them it may find, and which without its filter. */
  eligible: Eligible;
  all: Eligible;
  /** The fields of its filter that were given. */
  filter: Readonly<Record<string, string | undefined>>;
  /** Whether its answer has the rules and failures that could not be compared anyway. */
  namesRules?: boolean;
}

/** What a search looked at that nothing answers: other kinds are asked only then. */
export async function lookedFor(
  tx: Tx,
  { what, kinds, query = '', eligible, all, filter, namesRules = false }: Search,
): Promise<{ looked: Looked }> {
  const said = saidFilter(filter);
  const isFiltered = said !== undefined;
  const [own, without, elsewhere, notCompared] = await together(
    lookedAt(tx, kinds, eligible),
    isFiltered ? lookedAt(tx, kinds, all) : undefined,
    query.trim() === '' ? undefined : answersAnywhere(tx, query),
    query.trim() === '' || !kinds.includes('decision') || namesRules ? [] : notComparedWith(tx, query),
  );
  const isNone = own.records === 0;
  const there = isNone ? await valuesGiven(tx, filter, FILTERED) : [];
  const { found = [], asked } = elsewhere ?? {};
  const leftOut = isFiltered ? found.filter(({ kind }) => kinds.includes(kind)).slice(0, MOST_LEFT_OUT) : [];
  const entries = asked ? await foundEntries(tx, leftOut, asked, { shown: LENGTH }) : [];
  const others = found.filter(({ kind }) => !kinds.includes(kind));
  return {
    looked: {
      what,
      ...own,
      ...(isFiltered && { filter: said, unfiltered: without?.records ?? 0 }),
      ...(there.length > 0 && { there }),
      ...(entries.length > 0 && { excluded: entries.map((each) => nameLine(toNamed(each))) }),
      ...(others.length > 0 && {
        elsewhere: Object.fromEntries(
          [...Map.groupBy(others, ({ kind }) => kind)].map(([kind, { length }]) => [kind, length]),
        ),
      }),
      ...(notCompared.length > 0 && { uncompared: notCompared }),
    },
  };
}
