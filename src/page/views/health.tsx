import type { Input } from '../data/operations.ts';
import { useCall, useHref, useLoad, useSession } from '../data/session.ts';
import { LOOKS, lookOf } from '../parts/facets.tsx';
import { Await, Part } from '../parts/states.tsx';
import { shownAuthor, useSpeech } from '../words/words.ts';

/** How the memory is: what is worth a look, what it holds, and who wrote it. Every number leads to its list. */
export function HealthView() {
  const { t } = useSpeech();
  return (
    <>
      <h1>{t.health}</h1>
      <div class="two">
        <Part id="attention" title={t.attention}>
          <Attention />
        </Part>
        <Holds />
      </div>
    </>
  );
}

function Attention() {
  const { t, number } = useSpeech();
  const { query } = useSession().route;
  const href = useHref();
  const call = useCall();
  const asked: { shown: string; address: Record<string, string>; input: Input<'decision_list'> }[] = [
    { shown: t.standing, address: {}, input: {} },
    { shown: t.failedStanding, address: { outcome: 'failed' }, input: { outcome: 'failed' } },
    {
      shown: t.failures,
      address: { outcome: 'failed', state: 'any' },
      input: { outcome: 'failed', state: 'any' },
    },
    { shown: t.partial, address: { outcome: 'partial' }, input: { outcome: 'partial' } },
    { shown: `${t.outcome}: ${t.pending}`, address: { outcome: 'pending' }, input: { outcome: 'pending' } },
    ...LOOKS.map((look) => ({ shown: t.looks[look], address: { look }, input: lookOf(look) })),
    { shown: t.withdrawn, address: { state: 'withdrawn' }, input: { state: 'withdrawn' } },
  ];
  const counts = useLoad(
    () => Promise.all(asked.map(({ input }) => call('decision_list', { ...input, limit: 1 }))),
    ['counts', query.get('at')],
  );
  return (
    <Await of={counts}>
      {(found) => (
        <ul class="counts">
          {asked.map(({ shown, address }, place) => (
            <li key={shown}>
              <strong>{number(found[place]?.total ?? 0)}</strong>
              <a href={href('list', '', address)} data-row>
                {shown}
              </a>
            </li>
          ))}
        </ul>
      )}
    </Await>
  );
}

/** Where records of a kind are listed; those of other kinds stand in the log. */
const LISTS: Record<string, [view: string, id: string, params: Record<string, string>]> = {
  decision: ['list', '', { state: 'any' }],
  observation: ['observations', '', {}],
  memo: ['memos', '', {}],
  keyword: ['memos', '', {}],
};

function Holds() {
  const { t, number } = useSpeech();
  const { query } = useSession().route;
  const href = useHref();
  const call = useCall();
  const held = useLoad(
    () => Promise.all([call('mem_stats', {}), call('author_list', { limit: 50 })]),
    ['stats', query.get('at')],
  );
  return (
    <Await of={held}>
      {([{ records, most_connected: connected }, { authors, total }]) => (
        <>
          <Part id="holds" title={t.holds}>
            <ul class="counts">
              {Object.entries(records).map(([kind, count]) => (
                <li key={kind}>
                  <strong>{number(count)}</strong>
                  <a href={href(...(LISTS[kind] ?? ['changes', '', { kind }]))}>
                    {t.records[kind] ?? t.kindsLogged[kind as keyof typeof t.kindsLogged] ?? kind}
                  </a>
                </li>
              ))}
            </ul>
          </Part>
          <Part id="authors" title={t.whoWrote} note={t.nOfM(number(authors.length), number(total))}>
            <ul class="counts">
              {authors.map(({ author, records }) => (
                <li key={author}>
                  <strong>{number(records)}</strong>
                  {author === '' ? (
                    t.nobody
                  ) : (
                    <a href={href('list', '', { author })}>{shownAuthor(author)}</a>
                  )}
                </li>
              ))}
            </ul>
          </Part>
          {connected.length > 0 && (
            <Part id="connected" title={t.connected}>
              <ul class="counts">
                {connected.map(({ id, title, relations }) => (
                  <li key={id}>
                    <strong>{number(relations)}</strong>
                    <a href={href('o', String(id))}>{title}</a>
                  </li>
                ))}
              </ul>
            </Part>
          )}
        </>
      )}
    </Await>
  );
}
