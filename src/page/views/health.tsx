import { useCall, useHref, useLoad, useSession } from '../data/session.ts';
import { Attention } from '../parts/attention.tsx';
import { Await, Heading, Part } from '../parts/states.tsx';
import { shownAuthor, useSpeech } from '../words/words.ts';

/** What is worth a look, the contents of the memory, and its authors. Every number links to its list. */
export function HealthView() {
  const { t } = useSpeech();
  return (
    <>
      <Heading>{t.health}</Heading>
      <div class="two">
        <Part id="attention" title={t.attention}>
          <Attention />
        </Part>
        <Contents />
      </div>
    </>
  );
}

/** The list of each kind of record. Other kinds are listed in the log. */
const LISTS: Record<string, [view: string, id: string, params: Record<string, string>]> = {
  decision: ['list', '', { state: 'any' }],
  observation: ['observations', '', {}],
  memo: ['memos', '', {}],
  keyword: ['memos', '', {}],
};

function Contents() {
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
                    t.noAuthor
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
