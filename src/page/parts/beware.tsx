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
  const failed = decision.earlierFailure ? failedBefore(decision, version) : undefined;
  const warnings = [
    outcome?.outcome === 'failed' && `${t.thisFailed} ${outcome.reason ?? t.noReasonGiven}`,
    version.status === 'withdrawn' && t.isWithdrawn,
    !failed && decision.earlierFailure && `${t.earlierFailed} ${decision.earlierFailure}`,
    ...(decision.failedBasis ?? []).map((basis) => `${t.basisFailed} ${basis}`),
    version.confidence < SURE && t.isUnsure(String(version.confidence)),
  ].filter((each) => typeof each === 'string');
  const isOld = version.status === 'superseded';
  if (warnings.length + debates.length === 0 && !failed && !isOld) return null;
  return (
    <section class="part whole alarm" aria-labelledby="beware">
      <h2 id="beware">{t.beware}</h2>
      <ul class="warnings">
        {isOld && (
          <li>
            {t.isOld} {standing && <a href={href('d', standing.id)}>{t.toNewest}</a>}
          </li>
        )}
        {failed && (
          <li>
            {t.earlierFailed} “{failed.version.text}” —{' '}
            {failed.reason ? `“${failed.reason}”` : t.noReasonGiven}{' '}
            <a href={href('d', failed.version.id)}>{t.version(failed.version.version)}</a>
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

/** The newest version before one that failed, with the whole reason: beside its history nothing need be cut. */
function failedBefore(decision: Shown, { version: before }: Version) {
  for (const version of decision.versions) {
    const last = version.outcomes.findLast(({ retracted }) => !retracted);
    if (version.version < before && !version.mistaken && last?.outcome === 'failed')
      return { version, reason: last.reason };
  }
  return undefined;
}
