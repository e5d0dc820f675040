import type { Result } from '../data/operations.ts';
import { hrefOf } from '../data/route.ts';
import { useHref, usePages, useSession } from '../data/session.ts';
import { TextField } from '../parts/fields.tsx';
import { Facts } from '../parts/rows.tsx';
import { Await, Paging } from '../parts/states.tsx';
import { navigate } from '../shell/navigate.ts';
import { shownAuthor, useSpeech } from '../words/words.ts';

type Row = Result<'mem_list'>['results'][number];

/** Observations, those saved last first, narrowed by project, kind and words. */
export function ObservationsView() {
  const { t } = useSpeech();
  const { query } = useSession().route;
  const given = (name: string) => query.get(name) || undefined;
  const [project, type, words] = [given('project'), given('type'), given('words')];
  const pages = usePages(
    'mem_list',
    { deleted: true, ...(project && { project }), ...(type && { type }), ...(words && { filter: words }) },
    ({ results }) => results,
  );
  const choose = (name: string) => (value: string) =>
    navigate(hrefOf('observations', '', { ...Object.fromEntries(query), [name]: value }), true);
  return (
    <>
      <h1>{t.observations}</h1>
      <div class="facets">
        <div class="fields inline">
          <TextField label={t.contains} value={words ?? ''} choose={choose('words')} />
          <TextField label={t.project} value={project ?? ''} choose={choose('project')} />
          <TextField label={t.kind} value={type ?? ''} choose={choose('type')} />
        </div>
      </div>
      <Paging pages={pages} />
      <Await of={pages}>
        {(rows) => (
          <ol class="rows">
            {rows.map((row) => (
              <ObservationRow key={row.id} row={row} />
            ))}
          </ol>
        )}
      </Await>
    </>
  );
}

function ObservationRow({ row }: { row: Row }) {
  const { t, day } = useSpeech();
  const href = useHref();
  return (
    <li>
      <div class="head">
        <a href={href('o', String(row.id))} data-row>
          {row.title}
        </a>
        <span class="badge">{row.type}</span>
        {row.deleted && <span class="badge deleted">{t.deleted}</span>}
        <p class="text">{row.content}</p>
      </div>
      <Facts
        of={[
          `#${row.id}`,
          row.project ?? undefined,
          day(row.updated_at),
          row.author && shownAuthor(row.author),
          row.relation_count > 0 && t.relationsN(row.relation_count),
        ]}
      />
    </li>
  );
}
