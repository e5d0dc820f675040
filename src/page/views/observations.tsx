import type { Result } from '../data/operations.ts';
import { useHref, usePages, useRead, useSession } from '../data/session.ts';
import { useScopeAndWriter } from '../parts/facets.tsx';
import { Filtered, filtersIn, wordsOnly } from '../parts/filters.tsx';
import { KindMark } from '../parts/marks.tsx';
import { Facts, Row } from '../parts/rows.tsx';
import { Paged } from '../parts/states.tsx';
import { useSpeech } from '../words/words.ts';

type Listed = Result<'mem_list'>['results'][number];

/** Observations, the newest first, filtered by words, project, kind, author and time. */
export function ObservationsView() {
  const { t, number } = useSpeech();
  const { query } = useSession().route;
  const { words, ...chosen } = filtersIn(query, ['words', 'project', 'type', 'author', 'via', 'session']);
  const input = { deleted: true, ...chosen, ...(words && { filter: wordsOnly(words) }) };
  const pages = usePages('mem_list', input, ({ results }) => results);
  const { data: held } = useRead('mem_stats', {});
  const [, ...writer] = useScopeAndWriter();
  const counted = (name: string, count: number): [string, string] => [name, `${name} (${number(count)})`];
  return (
    <Filtered
      title={t.observations}
      fields={[
        { name: 'words', label: t.contains },
        {
          name: 'type',
          label: t.kind,
          options: (held?.kinds ?? []).map(({ type, count }) => counted(type, count)),
        },
        {
          name: 'project',
          label: t.project,
          options: (held?.projects ?? []).map(({ project, count }) => counted(project, count)),
        },
        ...writer,
      ]}
    >
      <Paged pages={pages}>{(row) => <ObservationRow key={row.id} row={row} />}</Paged>
    </Filtered>
  );
}

function ObservationRow({ row }: { row: Listed }) {
  const { t, day, by } = useSpeech();
  const href = useHref();
  return (
    <Row
      href={href('o', String(row.id))}
      title={row.title}
      mark={<KindMark kind="observation" />}
      badges={
        <>
          <span class="badge">{row.type}</span>
          {row.deleted && <span class="badge deleted">{t.deleted}</span>}
        </>
      }
      text={row.content}
    >
      <Facts
        of={[
          `#${row.id}`,
          row.project,
          day(row.updated_at),
          by(row),
          row.relation_count > 0 && t.relationsN(row.relation_count),
        ]}
      />
    </Row>
  );
}
