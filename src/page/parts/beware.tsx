import type { Shown, Version } from '../data/operations.ts';
import { useHref } from '../data/session.ts';
import { useSpeech } from '../words/words.ts';
import { FIRST_NAME, Linked } from './reasoned.tsx';
import { outcomeOf } from './versions.tsx';

/** A confidence below it is a warning; the memory takes it for what nobody said. */
const SURE = 0.5;

/** What speaks against a decision, before its reasons; nothing where nothing does. */
export function Beware({
  decision,
  version,
  outcome,
}: {
  decision: Shown;
  version: Version;
  outcome: Version['outcomes'][number] | undefined;
}) {
  const { t } = useSpeech();
  const href = useHref();
  const standing = decision.versions.find(({ status }) => status === 'stands');
  const debates = decision.restOnIt.filter(
    ({ relationship, decision: other }) => relationship === 'debates' && other.status === 'stands',
  );
  const before = wrongBefore(decision, version);
  const hasFailed = before.some(({ outcome }) => outcome === 'failed');
  const warnings = [
    outcome?.outcome === 'failed' && `${t.thisFailed} ${outcome.reason ?? t.noReasonGiven}`,
    version.status === 'withdrawn' && t.isWithdrawn,
    !hasFailed && decision.earlierFailure && `${t.earlierFailed} ${decision.earlierFailure}`,
    version.confidence < SURE && t.isUnsure(String(version.confidence)),
  ].filter((each) => typeof each === 'string');
  const isOld = version.status === 'superseded';
  const bases = decision.failedBasis ?? [];
  if (warnings.length + bases.length + debates.length + before.length === 0 && !isOld) return null;
  return (
    <section class="part whole alarm" aria-labelledby="beware">
      <h2 id="beware">{t.beware}</h2>
      <ul class="warnings">
        {isOld && (
          <li>
            {t.isOld} {standing && <a href={href('d', standing.id)}>{t.toNewest}</a>}
          </li>
        )}
        {before.map(({ version: { id, text, version: number }, outcome: became, reason }) => (
          <li key={id}>
            {became === 'failed' ? t.earlierFailed : t.earlierPartial} “{text}” —{' '}
            {reason ? `“${reason}”` : t.noReasonGiven} <a href={href('d', id)}>{t.version(number)}</a>
          </li>
        ))}
        {bases.map((basis) => (
          <li key={basis}>
            {t.basisFailed} <Linked text={basis} names={FIRST_NAME} />
          </li>
        ))}
        {warnings.map((warning) => (
          <li key={warning}>{warning}</li>
        ))}
        {debates.map(({ decision: other }) => (
          <li key={other.id}>
            {t.isDebated} <a href={href('d', other.id)}>{other.topic ?? t.noTopic}</a> {other.text}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The versions before one that failed or held in part, the newest first, with whole reasons: nothing need be cut here. */
function wrongBefore(decision: Shown, { version: before }: Version) {
  return decision.versions.flatMap((version) => {
    const last = outcomeOf(version);
    const isWrong = version.version < before && !version.mistaken && last && last.outcome !== 'success';
    return isWrong ? [{ version, outcome: last.outcome, reason: last.reason }] : [];
  });
}
