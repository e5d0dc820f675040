import type { Link, Shown, Version } from '../data/operations.ts';
import { useHref } from '../data/session.ts';
import { useSpeech } from '../words/words.ts';
import { Markdown } from './markdown.tsx';
import { Badges, Mark, OutcomeBadge } from './marks.tsx';
import { Facts } from './rows.tsx';
import { Part } from './states.tsx';

/** The outcome of a version that counts: the last one that was not retracted. */
export function lastOutcome({ outcomes }: Version): Version['outcomes'][number] | undefined {
  return outcomes.findLast(({ retracted }) => !retracted);
}

/** The version that this one replaced; undefined for the first. */
export function versionBefore({ versions }: Shown, of: Version): Version | undefined {
  return versions[versions.indexOf(of) + 1];
}

/** All versions of a decision, the newest first, with the reason for each change. */
export function Versions({ decision, asked }: { decision: Shown; asked: Version }) {
  const { t } = useSpeech();
  if (decision.versions.length === 1) return <p class="quiet">{t.neverChanged}</p>;
  return (
    <ol class="chain">
      {decision.versions.map((version) => (
        <VersionItem key={version.id} decision={decision} version={version} isAsked={version === asked} />
      ))}
    </ol>
  );
}

function VersionItem(props: { decision: Shown; version: Version; isAsked: boolean }) {
  const { decision, version, isAsked } = props;
  const { t, day, by } = useSpeech();
  const href = useHref();
  const last = lastOutcome(version);
  // The failure of a replaced version is shown with the version that replaced it.
  const isReasonElsewhere =
    isAsked || (last?.outcome !== 'success' && version.status === 'superseded' && !version.mistaken);
  return (
    <li aria-current={isAsked ? 'true' : undefined}>
      <Mark status={version.status} outcome={last?.outcome ?? null} strength={version.strength} />
      <div>
        <p class="badges">
          {isAsked ? (
            <strong>v{version.version}</strong>
          ) : (
            <a href={href('d', version.id)} data-row>
              v{version.version}
            </a>
          )}
          <Badges status={version.status} outcome={last?.outcome ?? null} strength={version.strength} />
          {version.mistaken && <span class="badge failed">{t.undoneVersion}</span>}
        </p>
        <Markdown text={version.text} links={decision.dependsOn} />
        <Facts of={[day(version.createdAt), by(version)]} />
        {last?.reason && !isReasonElsewhere && (
          <p class={last.outcome === 'success' ? 'why' : 'beware'}>
            <b>{t[last.outcome]}:</b> {last.reason}
          </p>
        )}
        <Reason
          version={version}
          before={versionBefore(decision, version)}
          links={decision.dependsOn}
          isAsked={isAsked}
        />
      </div>
    </li>
  );
}

interface ReasonProps {
  version: Version;
  /** The version that it replaced. */
  before: Version | undefined;
  links: Link[];
  /** Whether it is the version that is shown: its reason is shown next to the list. */
  isAsked: boolean;
}

/** Why a version was made: the failure of the previous one, and its own reason. */
function Reason({ version: { reasoning, status }, before, links, isAsked }: ReasonProps) {
  const { t } = useSpeech();
  const isChange = before !== undefined && !failureOf(before);
  return (
    <>
      <PreviousFailure before={before} />
      {(isChange || (reasoning && !isAsked)) && (
        <div class="why">
          <b>{status === 'withdrawn' ? t.withdrawn : isChange ? t.changedBecause : t.why}:</b>{' '}
          <Markdown text={reasoning || t.noReasonGiven} links={links} />
        </div>
      )}
    </>
  );
}

/** The failure of the previous version, which led to this one. */
export function PreviousFailure({ before }: Pick<ReasonProps, 'before'>) {
  const { t } = useSpeech();
  const wrong = before && failureOf(before);
  if (!wrong) return null;
  return (
    <p class="beware">
      <b>{t.changedSince[wrong.outcome](before.version)}</b> {wrong.reason ?? t.noReasonGiven}
    </p>
  );
}

function failureOf(version: Version) {
  const last = lastOutcome(version);
  return last && last.outcome !== 'success' ? { ...last, outcome: last.outcome } : undefined;
}

/** All outcomes of a version, the newest first. */
export function Outcomes({ version }: { version: Version }) {
  const { t, day, by } = useSpeech();
  if (version.outcomes.length === 0) return null;
  return (
    <Part id="outcomes" title={t.outcomes} note={String(version.outcomes.length)}>
      <ol class="rows">
        {version.outcomes.toReversed().map(({ outcome, reason, createdAt, retracted, ...written }, place) => (
          <li key={createdAt + place} class={`plain ${outcome === 'failed' && !retracted ? 'failed' : ''}`}>
            <p class="badges">
              <OutcomeBadge outcome={outcome} />
              {retracted && <span class="badge withdrawn">{t.retracted}</span>}
            </p>
            {reason && <Markdown text={reason} />}
            <Facts of={[day(createdAt), by(written)]} />
          </li>
        ))}
      </ol>
    </Part>
  );
}
