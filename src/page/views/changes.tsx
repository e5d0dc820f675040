import type { Input, Logged } from '../data/operations.ts';
import { useCall, useHref, useLoad, usePages, useSession } from '../data/session.ts';
import { useWhoAndWhere } from '../parts/facets.tsx';
import { chosenOf, Filters } from '../parts/filters.tsx';
import { LastWeek, LoggedRow } from '../parts/logged.tsx';
import { Await, Paging, Part } from '../parts/states.tsx';
import { useSpeech } from '../words/words.ts';

/** What happened, the newest first, day by day. */
export function ChangesView() {
  const { t, day } = useSpeech();
  const { query } = useSession().route;
  const { kind, ...chosen } = chosenOf(query, ['kind', 'scope', 'author']);
  const input = { ...chosen, ...(kind && { kind: [kind] }) } as Input<'timeline'>;
  const pages = usePages('timeline', input, ({ entries }) => entries);
  const [scope, author] = useWhoAndWhere();
  const kinds = Object.entries(t.kindsLogged);
  return (
    <div class="split">
      <Filters fields={[{ name: 'kind', label: t.kind, options: kinds }, scope, author]} />
      <div>
        <h1>{t.changes}</h1>
        <p class="quiet">{t.newestFirst}</p>
        <Paging pages={pages} />
        <Await of={pages}>
          {(entries) => (
            <>
              {[...Map.groupBy(entries, ({ at }) => day(at))].map(([date, those], place) => (
                <Part key={date} id={`day-${place}`} title={date}>
                  <ol class="rows">
                    {those.map((entry) => (
                      <LoggedRow key={keyOf(entry)} entry={entry} />
                    ))}
                  </ol>
                </Part>
              ))}
              {entries.length === 0 && Object.keys(chosen).length > 0 && <Last />}
              {entries.length > 20 && <Paging pages={pages} />}
            </>
          )}
        </Await>
      </div>
    </div>
  );
}

/** When something last happened, for who asked about a time in which nothing did. */
function Last() {
  const { t, day } = useSpeech();
  const { query } = useSession().route;
  const href = useHref();
  const call = useCall();
  const last = useLoad(() => call('timeline', { limit: 1 }), ['last', query.get('at')]);
  return (
    <Await of={last}>
      {({ entries: [entry] }) =>
        entry && (
          <>
            <p>
              {t.quietThen(day(entry.at))} <a href={href('changes')}>{t.seeAll}</a>
            </p>
            <LastWeek newest={entry} />
          </>
        )
      }
    </Await>
  );
}

/** Several things may happen to one record at once. */
const keyOf = ({ kind, what, id, at, text }: Logged): string => [kind, what, id, at, text].join(' ');
