import type { Found } from '../data/operations.ts';
import { useHref } from '../data/session.ts';
import { shownAuthor, useSpeech } from '../words/words.ts';
import { Mark, OutcomeBadge } from './marks.tsx';
import { Facts } from './rows.tsx';

/** The view of each kind; a checkpoint has none of its own. */
const VIEW: Partial<Record<Found['kind'], string>> = { decision: 'd', observation: 'o', memo: 'm' };

/** What became of a decision that did not fail stands at the beginning of its `outcome`. */
const WENT = ['success', 'partial'] as const;

/** An answer of the search, of whatever kind. @param isRanked how much each answers is what orders them */
export function FoundRow({ row, isRanked }: { row: Found; isRanked: boolean }) {
  const { t, day, number } = useSpeech();
  const href = useHref();
  const view = VIEW[row.kind];
  const failed = row.status === 'failed';
  const outcome = failed ? 'failed' : (WENT.find((each) => row.outcome?.startsWith(each)) ?? null);
  // A memo has no title: what it says is the way to it.
  const isUntitled = row.kind === 'memo' && row.title === undefined;
  const title = row.title ?? (isUntitled ? row.text : row.kind === 'decision' ? t.noTopic : row.ref);
  return (
    <li class={failed ? 'failed' : ''}>
      <div class="head">
        {row.kind === 'decision' ? (
          <Mark status={row.status === 'withdrawn' ? 'withdrawn' : 'stands'} outcome={outcome} />
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
        <span class="badge">{t.kinds[row.kind]}</span>
        {row.status === 'withdrawn' && <span class="badge withdrawn">{t.withdrawn}</span>}
        {outcome && <OutcomeBadge outcome={outcome} />}
        {!isUntitled && <p class="text">{row.text}</p>}
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
      {row.matched && <p class="why">{row.matched}</p>}
      <Facts
        of={[
          row.scope,
          day(row.when),
          row.author && shownAuthor(row.author),
          isRanked && t.answers(number(Math.round(100 * (row.similarity ?? 0)))),
        ]}
      />
    </li>
  );
}
