import type { Found } from '../data/operations.ts';
import { useHref } from '../data/session.ts';
import { useSpeech } from '../words/words.ts';
import { Badges, KindMark, Mark, type State } from './marks.tsx';
import { LEADING_REFERENCE, LinkedText } from './reason-text.tsx';
import { Facts, Row } from './rows.tsx';

/** The view of each kind of record. */
export const VIEW_OF_KIND = { decision: 'd', observation: 'o', memo: 'm', checkpoint: 'c' } as const;

/** The `outcome` of a search result begins with one of these, if the decision did not fail. */
const NOT_FAILED = ['success', 'partial'] as const;

/** A search result of any kind. @param isRanked whether the results are ordered by similarity */
export function FoundRow({ row, isRanked }: { row: Found; isRanked: boolean }) {
  const { t, day, number, by } = useSpeech();
  const href = useHref();
  const failed = row.status === 'failed';
  const outcome = failed ? 'failed' : (NOT_FAILED.find((each) => row.outcome?.startsWith(each)) ?? null);
  const warnings = [
    row.outcome_warning,
    row.earlier_failure && `${t.earlierFailed} ${row.earlier_failure}`,
  ].filter((each) => each !== undefined && each !== '');
  const isDecision = row.kind === 'decision';
  const state = {
    status: row.status === 'withdrawn' ? ('withdrawn' as const) : ('active' as const),
    outcome: outcome as State['outcome'],
    ...(row.strength && { strength: row.strength }),
  };
  // A record without a title shows its text as the title.
  const isUntitled = !isDecision && row.title === undefined;
  return (
    <Row
      href={href(VIEW_OF_KIND[row.kind], row.id)}
      title={row.title ?? (isUntitled ? row.text : t.noTopic)}
      mark={isDecision ? <Mark {...state} /> : <KindMark kind={row.kind} />}
      badges={isDecision ? <Badges {...state} isBrief /> : <span class="badge">{t.kinds[row.kind]}</span>}
      text={isUntitled ? undefined : row.text}
      isFailed={failed}
    >
      {warnings.map((warning) => (
        <p class="beware" key={warning}>
          {warning}
        </p>
      ))}
      {row.failed_basis?.map((basis) => (
        <p class="beware" key={basis}>
          {t.basisFailed} <LinkedText text={basis} names={LEADING_REFERENCE} />
        </p>
      ))}
      {row.why && !failed && <p class="why">{row.why}</p>}
      {row.matched && <p class="why">{row.matched}</p>}
      <Facts
        of={[
          row.scope,
          day(row.when),
          by(row),
          isRanked && t.answers(number(Math.round(100 * (row.similarity ?? 0)))),
        ]}
      />
    </Row>
  );
}
