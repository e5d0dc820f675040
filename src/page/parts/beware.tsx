import type { Shown, Version } from '../data/operations.ts';
import { useHref } from '../data/session.ts';
import { useSpeech } from '../words/words.ts';

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
  const warnings = [
    outcome?.outcome === 'failed' && `${t.thisFailed} ${outcome.reason ?? t.noReasonGiven}`,
    version.status === 'withdrawn' && t.isWithdrawn,
    decision.earlierFailure && `${t.earlierFailed} ${decision.earlierFailure}`,
    ...(decision.failedBasis ?? []).map((basis) => `${t.basisFailed} ${basis}`),
    version.confidence < SURE && t.isUnsure(String(version.confidence)),
  ].filter((each) => typeof each === 'string');
  const isOld = version.status === 'superseded';
  if (warnings.length + debates.length === 0 && !isOld) return null;
  return (
    <section class="part whole" aria-labelledby="beware">
      <h2 id="beware">{t.beware}</h2>
      <ul class="warnings">
        {isOld && (
          <li>
            {t.isOld} {standing && <a href={href('d', standing.id)}>{t.toNewest}</a>}
          </li>
        )}
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
