import type { Found } from '../data/operations.ts';
import { useHref } from '../data/session.ts';
import { shownAuthor, useSpeech } from '../words/words.ts';
import { Mark } from './marks.tsx';
import { Facts } from './rows.tsx';

/** The view of each kind; a checkpoint has none of its own. */
const VIEW: Partial<Record<Found['kind'], string>> = { decision: 'd', observation: 'o', memo: 'm' };

/** An answer of the search, of whatever kind. */
export function FoundRow({ row }: { row: Found }) {
  const { t, day } = useSpeech();
  const href = useHref();
  const view = VIEW[row.kind];
  const failed = row.status === 'failed';
  const title = row.title ?? (row.kind === 'decision' ? t.noTopic : row.ref);
  return (
    <li class={failed ? 'failed' : ''}>
      <div class="head">
        {row.kind === 'decision' ? (
          <Mark
            status={row.status === 'withdrawn' ? 'withdrawn' : 'stands'}
            outcome={failed ? 'failed' : null}
          />
        ) : (
          <span class="mark" />
        )}
        {view ? (
          <a href={href(view, row.id.replace(/^#/, ''))} data-row>
            {title}
          </a>
        ) : (
          <strong>{title}</strong>
        )}
        <span class={`badge ${row.kind}`}>{t.kinds[row.kind]}</span>
        {row.status && row.status !== 'stands' && <span class={`badge ${row.status}`}>{t[row.status]}</span>}
        <p class="text">{row.text}</p>
      </div>
      {[row.outcome_warning, row.earlier_failure && `${t.earlierFailed} ${row.earlier_failure}`]
        .concat(row.failed_basis?.map((basis) => `${t.basisFailed} ${basis}`))
        .map(
          (warning) =>
            warning && (
              <p class="beware" key={warning}>
                {warning}
              </p>
            ),
        )}
      {row.why && !failed && <p class="why">{row.why}</p>}
      {row.matched && <p class="why">… {row.matched} …</p>}
      <Facts of={[row.scope, day(row.when), row.author && shownAuthor(row.author), row.because]} />
    </li>
  );
}
