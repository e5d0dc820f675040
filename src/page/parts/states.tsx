import { type ComponentChildren, toChildArray } from 'preact';
import { useEffect } from 'preact/hooks';
import { FIELDS } from '../data/filter.ts';
import { type Loaded, type Pages, useHref, useSession } from '../data/session.ts';
import { useSpeech } from '../words/words.ts';

/** Shows what was read, or why it could not be read. */
export function Await<T>(props: { of: Loaded<T>; children: (data: T) => ComponentChildren }) {
  const { t } = useSpeech();
  const { data, error, isLoading } = props.of;
  const { view, id } = useSession().route;
  const isMissing = error?.status === 404 && id !== '';
  return (
    <div aria-busy={isLoading}>
      {isMissing && <Missing id={view === 'o' ? `#${id}` : id} why={error.message} />}
      {error && !isMissing && !error.isOfServer && error.status !== 401 && (
        <p role="alert" class="warning">
          {t.failedToLoad} {error.message}
        </p>
      )}
      {data !== undefined ? props.children(data) : !error && <p class="quiet">{t.loading}</p>}
    </div>
  );
}

/** Says that the record of an address does not exist, with the ways on. */
function Missing({ id, why }: { id: string; why: string }) {
  const { t } = useSpeech();
  const href = useHref();
  return (
    <>
      <Heading>{t.noRecord(id)}</Heading>
      <p class="quiet" role="alert">
        {why}
      </p>
      <p class="buttons">
        <a class="button" href={href('list', '', { q: id })}>
          {t.searchFor(id)}
        </a>
        <a class="button" href={href('')}>
          {t.toHome}
        </a>
      </p>
    </>
  );
}

/** A list that grows page by page, with how many of its rows are shown. */
export function Paged<Row extends object>(props: {
  pages: Pages<Row>;
  /** The text for an empty list. */
  nothing?: string;
  children: (row: Row) => ComponentChildren;
}) {
  const { t, number } = useSpeech();
  const filter = useSession().route.query.get('q') ?? '';
  const { pages, nothing = filter === '' ? t.nothing : t.nothingFound, children } = props;
  const { data, total, hasMore, more } = pages;
  const shown = number(data?.length ?? 0);
  const count = total === undefined ? t[hasMore ? 'nMore' : 'nAll'](shown) : t.nOfM(shown, number(total));
  return (
    <>
      {data && (
        <p role="status" class="quiet">
          {data.length > 0 ? count : nothing}
        </p>
      )}
      {data?.length === 0 && filter.includes(':') && (
        <p class="quiet">{t.fieldsAre(FIELDS.map((each) => `${each}:`).join(', '))}</p>
      )}
      <Await of={pages}>{(rows) => <ol class="rows">{rows.map(children)}</ol>}</Await>
      {hasMore && (
        <button type="button" onClick={more}>
          {t.more}
        </button>
      )}
    </>
  );
}

/** The heading of a view, which also names it in the tab and in the history. @param props.children texts alone */
export function Heading({ children }: { children: ComponentChildren }) {
  const title = toChildArray(children).join('');
  useEffect(() => {
    document.title = `${title} · Precedent`;
  }, [title]);
  return <h1>{children}</h1>;
}

/** A part of a view under its own heading. */
export function Part(props: { title: string; id: string; note?: string; children: ComponentChildren }) {
  return (
    <section aria-labelledby={props.id} class="part">
      <h2 id={props.id}>
        {props.title} {props.note && <span class="note">{props.note}</span>}
      </h2>
      {props.children}
    </section>
  );
}
