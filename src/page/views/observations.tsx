import type { Result } from '../data/operations.ts';
import { useHref, usePages, useSession } from '../data/session.ts';
import { KindMark } from '../parts/marks.tsx';
import { Facts, Row } from '../parts/rows.tsx';
import { Heading, Paged } from '../parts/states.tsx';
import { useSpeech } from '../words/words.ts';

type Listed = Result<'mem_list'>['results'][number];

/** Observations that pass the filter, the newest first. */
export function ObservationsView() {
  const { t } = useSpeech();
  const filter = useSession().route.query.get('q');
  const input = { deleted: true, ...(filter && { filter }) };
  const pages = usePages('mem_list', input, ({ results }) => results);
  return (
    <>
      <Heading>{t.observations}</Heading>
      <Paged pages={pages}>{(row) => <ObservationRow key={row.id} row={row} />}</Paged>
    </>
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
