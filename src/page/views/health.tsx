import { written } from '../data/filter.ts';
import { useCall, useHref, useLoad } from '../data/session.ts';
import { Attention, Counts } from '../parts/attention.tsx';
import { Await, Heading, Part } from '../parts/states.tsx';
import { shownAuthor, useSpeech } from '../words/words.ts';

/** What is worth a look, the contents of the memory, and its authors. Every number links to its list. */
export function HealthView() {
  const { t } = useSpeech();
  return (
    <>
      <Heading>{t.health}</Heading>
      <div class="two">
        <Attention />
        <Contents />
      </div>
    </>
  );
}

/** The list of each kind of record. Other kinds are listed in the log. */
const LISTS: Record<string, [view: string, id: string, params: Record<string, string>]> = {
  decision: ['list', '', { q: 'state:any' }],
  observation: ['observations', '', {}],
  memo: ['memos', '', {}],
  keyword: ['memos', '', {}],
};

function Contents() {
  const { t, number } = useSpeech();
  const href = useHref();
  const call = useCall();
  const held = useLoad(
    () => Promise.all([call('mem_stats', {}), call('list_names', { kind: 'authors', limit: 50 })]),
    ['stats'],
  );
  return (
    <Await of={held}>
      {([{ records, most_connected: connected }, { names: authors, total }]) => (
        <>
          <Part id="holds" title={t.holds}>
            <Counts
              of={Object.entries(records).map(([kind, count]) => [
                count,
                t.ofKind(count, t.records[kind] ?? t.kindsLogged[kind as keyof typeof t.kindsLogged] ?? kind),
                href(...(LISTS[kind] ?? ['changes', '', { q: `kind:${kind}` }])),
              ])}
            />
          </Part>
          <Part id="authors" title={t.whoWrote} note={t.nOfM(number(authors.length), number(total))}>
            <Counts
              of={authors.map(({ name: author, count }) => [
                count,
                author === '' ? t.noAuthor : shownAuthor(author),
                author === '' ? undefined : href('list', '', { q: written('by', author) }),
              ])}
            />
          </Part>
          {connected.length > 0 && (
            <Part id="connected" title={t.connected}>
              <Counts
                of={connected.map(({ id, title, relations }) => [relations, title, href('o', String(id))])}
              />
            </Part>
          )}
        </>
      )}
    </Await>
  );
}
