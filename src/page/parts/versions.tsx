import type { Shown, Version } from '../data/operations.ts';
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

/** All versions of a decision, the newest first, with the reason for each change. */
export function Versions({ decision, asked }: { decision: Shown; asked: Version }) {
  const { t } = useSpeech();
  if (decision.versions.length === 1) return <p class="quiet">{t.neverChanged}</p>;
  return (
    <ol class="chain">
      {decision.versions.map((version) => (
        <VersionItem key={version.id} decision={decision} version={version} asked={asked.version} />
      ))}
    </ol>
  );
}

function VersionItem(props: { decision: Shown; version: Version; asked: number }) {
  const { decision, version } = props;
  const isAsked = version.version === props.asked;
  const { t, day, by, tidied, reason } = useSpeech();
  const href = useHref();
  const last = lastOutcome(version);
  const before = decision.versions[decision.versions.indexOf(version) + 1];
  const was = before && lastOutcome(before)?.outcome;
  // The warnings of the view quote what failed before the version that is asked for, and its own outcome is next to the list.
  const isElsewhere =
    isAsked || (version.version < props.asked && last?.outcome !== 'success' && !version.mistaken);
  return (
    <li aria-current={isAsked ? 'true' : undefined}>
      <Mark status={version.status} outcome={last?.outcome ?? null} strength={version.strength} />
      <div>
        <p class="badges">
          {isAsked ? (
            <strong>v{version.version}</strong>
          ) : (
            <a href={href('d', version.id)}>v{version.version}</a>
          )}
          {version.mistaken ? (
            <span class="badge failed">{t.undoneVersion}</span>
          ) : (
            <Badges status={version.status} outcome={last?.outcome ?? null} strength={version.strength} />
          )}
        </p>
        <Markdown text={version.text} links={decision.edges.outgoing} />
        <Facts of={[day(version.created_at), by(version), tidied(version.tidied)]} />
        {last?.reason && !isElsewhere && (
          <p class={last.outcome === 'success' ? 'why' : 'beware'}>
            <b>{t[last.outcome]}:</b> {last.reason}
          </p>
        )}
        {(before || (version.reasoning && !isAsked)) && (
          <div class="why">
            <b>
              {version.status === 'withdrawn'
                ? t.withdrawn
                : version.tidied || !before
                  ? t.why
                  : was === 'failed' || was === 'partial'
                    ? t.changedSince[was](version.version - 1)
                    : t.changedBecause}
              :
            </b>{' '}
            <Markdown text={reason(version.reasoning || t.noReasonGiven)} links={decision.edges.outgoing} />
          </div>
        )}
      </div>
    </li>
  );
}

/** All outcomes of a version, the newest first, but for a failure that the warnings quote. */
export function Outcomes({ version }: { version: Version }) {
  const { t, day, by } = useSpeech();
  const last = lastOutcome(version);
  const shown = version.outcomes.filter((each) => each !== last || last.outcome !== 'failed');
  if (shown.length === 0) return null;
  return (
    <Part id="outcomes" title={t.outcomes} note={String(shown.length)}>
      <ol class="rows">
        {shown.toReversed().map(({ outcome, reason, created_at, retracted, ...written }, place) => (
          <li key={created_at + place} class={`plain ${outcome === 'failed' && !retracted ? 'failed' : ''}`}>
            <p class="badges">
              <OutcomeBadge outcome={outcome} />
              {retracted && <span class="badge withdrawn">{t.undoneVersion}</span>}
            </p>
            {reason && <Markdown text={reason} />}
            <Facts of={[day(created_at), by(written)]} />
          </li>
        ))}
      </ol>
    </Part>
  );
}
