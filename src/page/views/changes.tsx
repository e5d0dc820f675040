import type { Logged } from '../data/operations.ts';
import { useHref, usePages, useSession } from '../data/session.ts';
import { LogRow } from '../parts/logged.tsx';
import { Heading, Paged } from '../parts/states.tsx';
import { useSpeech } from '../words/words.ts';

/** The log: what passes the filter, the newest on top. */
export function ChangesView() {
  const { t } = useSpeech();
  const href = useHref();
  const filter = useSession().route.query.get('q');
  const pages = usePages('timeline', filter ? { filter } : {}, ({ entries }) => entries);
  return (
    <>
      <Heading>{t.changes}</Heading>
      {!filter && (
        <p>
          <a href={href('changes', '', { q: 'kind:decision,outcome' })}>{t.ofDecisions}</a>
        </p>
      )}
      <Paged pages={pages}>{(entry) => <LogRow key={keyOf(entry)} entry={entry} />}</Paged>
    </>
  );
}

/** One record may have several entries at the same time. */
const keyOf = ({ kind, what, id, at, text }: Logged): string => [kind, what, id, at, text].join(' ');
