import type { Activity, Input, Logged } from '../data/operations.ts';
import { useHref, usePages, useRead, useSession } from '../data/session.ts';
import { useScopeAndWriter } from '../parts/facets.tsx';
import { Filtered, filtersIn } from '../parts/filters.tsx';
import { LastWeek, LogRow } from '../parts/logged.tsx';
import { Await, Paged } from '../parts/states.tsx';
import { useSpeech } from '../words/words.ts';

type Asked = Input<'activity'>;
type Happened = Activity['happened'];

/** Kinds of entries that are listed first: readers come for what happened to decisions. */
const OF_DECISIONS: Logged['kind'][] = ['decision', 'outcome'];
/** Events of decisions, in the order of the counts. Other entries are counted by kind. */
const COUNTED = ['decided', 'revised', 'withdrawn', 'failed', 'partly worked', 'worked'];

/** The log: counts, then the entries, those of decisions first, the newest on top. */
export function ChangesView() {
  const { t } = useSpeech();
  const { query } = useSession().route;
  const { kind, ...chosen } = filtersIn(query, ['kind', 'scope', 'author', 'via', 'session']);
  const asked = { ...chosen, ...(kind && { kind: [kind] }) } as Asked;
  const counted = useRead('activity', asked);
  const filters = useScopeAndWriter();
  const kinds = Object.entries(t.kindsLogged);
  return (
    <Filtered title={t.changes} fields={[{ name: 'kind', label: t.kind, options: kinds }, ...filters]}>
      <Await of={counted}>
        {({ happened }) => {
          const part = (title: string, those: Happened) =>
            those.length > 0 && <Log key={title} title={title} asked={asked} happened={those} />;
          const isFirst = ({ kind }: Happened[number]) => OF_DECISIONS.includes(kind);
          return (
            <>
              <Tally happened={happened} />
              {part(t.decisions, happened.filter(isFirst))}
              {part(
                t.otherChanges,
                happened.filter((each) => !isFirst(each)),
              )}
              {happened.length === 0 && <Last />}
            </>
          );
        }}
      </Await>
    </Filtered>
  );
}

/** The number of each event. */
function Tally({ happened }: { happened: Happened }) {
  const { t, number } = useSpeech();
  const isCounted = ({ what }: Happened[number]) => COUNTED.includes(what);
  const others = Map.groupBy(
    happened.filter((each) => !isCounted(each)),
    ({ kind }) => kind,
  );
  const counts = [
    ...happened
      .filter(isCounted)
      .sort((a, b) => COUNTED.indexOf(a.what) - COUNTED.indexOf(b.what))
      .map(({ what, count }) => [t.happened[what] ?? what, count] as const),
    ...[...others].map(([kind, those]) => {
      const count = sumOf(those);
      return [t.ofKind(count, t.kindsLogged[kind]), count] as const;
    }),
  ];
  return (
    <p class="tally">
      {counts.map(([shown, count]) => (
        <span key={shown}>
          <strong>{number(count)}</strong> {shown}
        </span>
      ))}
    </p>
  );
}

/** A part of the log. @param happened its events, which give the total */
function Log({ title, asked, happened }: { title: string; asked: Asked; happened: Happened }) {
  const kind = [...new Set(happened.map((each) => each.kind))].sort();
  const pages = usePages('timeline', { ...asked, kind }, ({ entries }) => entries);
  const total = sumOf(happened);
  return (
    <section>
      <h2>{title}</h2>
      <Paged pages={{ ...pages, total }}>{(entry) => <LogRow key={keyOf(entry)} entry={entry} />}</Paged>
    </section>
  );
}

/** The last change, for a time in which nothing changed. */
function Last() {
  const { t, day } = useSpeech();
  const href = useHref();
  const last = useRead('timeline', { limit: 1 });
  return (
    <Await of={last}>
      {({ entries: [entry] }) =>
        entry ? (
          <>
            <p>
              {t.quietThen(day(entry.at))} <a href={href('changes')}>{t.seeAll}</a>
            </p>
            <LastWeek newest={entry} />
          </>
        ) : (
          <p class="quiet">{t.nothing}</p>
        )
      }
    </Await>
  );
}

const sumOf = (happened: Happened): number => happened.reduce((sum, { count }) => sum + count, 0);

/** One record may have several entries at the same time. */
const keyOf = ({ kind, what, id, at, text }: Logged): string => [kind, what, id, at, text].join(' ');
