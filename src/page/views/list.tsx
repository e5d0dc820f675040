import type { Decision } from '../data/operations.ts';
import { type Pages, usePages, useSession } from '../data/session.ts';
import { Facets, facetsOf } from '../parts/facets.tsx';
import { FoundRow } from '../parts/found.tsx';
import { ListedDecision } from '../parts/rows.tsx';
import { Await, Paging } from '../parts/states.tsx';
import { useSpeech } from '../words/words.ts';

/** Decisions, narrowed by facets; what is searched for without any is found among records of every kind. */
export function ListView() {
  const { t } = useSpeech();
  const { query } = useSession().route;
  const words = query.get('q') ?? '';
  const facets = facetsOf(query);
  const isSearch = words !== '' && Object.keys(facets).length === 0;
  return (
    <div class="split">
      <Facets />
      <div>
        <h1>{words === '' ? t.decisions : `“${words}”`}</h1>
        {isSearch ? <Search words={words} /> : <Decisions words={words} facets={facets} />}
      </div>
    </div>
  );
}

function Search({ words }: { words: string }) {
  const { t } = useSpeech();
  const pages = usePages('search', { query: words }, ({ results }) => results);
  return (
    <>
      <p class="quiet">{t.foundBy}</p>
      <Paging pages={pages} nothing={t.nothingFound} />
      <Await of={pages}>
        {(rows) => (
          <ol class="rows">
            {rows.map((row) => (
              <FoundRow key={row.kind + row.id} row={row} />
            ))}
          </ol>
        )}
      </Await>
    </>
  );
}

function Decisions({ words, facets }: { words: string; facets: ReturnType<typeof facetsOf> }) {
  const { t } = useSpeech();
  const filter = wordsOnly(words);
  const input = { ...facets, ...(filter !== '' && { filter }) };
  const pages: Pages<Decision> = usePages('decision_list', input, ({ decisions }) => decisions);
  return (
    <>
      {words !== '' && <p class="quiet">{t.narrowed}</p>}
      <Paging pages={pages} nothing={words === '' ? t.nothing : t.nothingFound} />
      <Await of={pages}>
        {(rows) => (
          <>
            <ol class="rows">
              {rows.map((row) => (
                <ListedDecision key={row.id} row={row} />
              ))}
            </ol>
            {rows.length > 20 && <Paging pages={pages} />}
          </>
        )}
      </Await>
    </>
  );
}

/** What was typed, as words alone: a filter would take `scope:` for one of its own parts. */
function wordsOnly(text: string): string {
  return text.replace(/[:"]/g, ' ').trim();
}
