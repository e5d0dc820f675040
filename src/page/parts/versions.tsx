import type { Link, Shown, Version } from '../data/operations.ts';
import { useHref } from '../data/session.ts';
import { shownAuthor, useSpeech } from '../words/words.ts';
import { Badges, Mark, OutcomeBadge } from './marks.tsx';
import { Reasoned } from './reasoned.tsx';
import { Facts } from './rows.tsx';
import { Part } from './states.tsx';

/** What counts of all that was said of how a version went: the last that was not taken back. */
export function outcomeOf({ outcomes }: Version): Version['outcomes'][number] | undefined {
  return outcomes.findLast(({ retracted }) => !retracted);
}

/** The version in whose place one came; undefined for the first. */
export function versionBefore({ versions }: Shown, of: Version): Version | undefined {
  return versions[versions.indexOf(of) + 1];
}

/** Every version of a decision, the newest first, with what led from each to the next. */
export function Versions({ decision, asked }: { decision: Shown; asked: Version }) {
  const { t } = useSpeech();
  if (decision.versions.length === 1) return <p class="quiet">{t.replacedNone}</p>;
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
  const { t, day } = useSpeech();
  const href = useHref();
  const last = outcomeOf(version);
  // What went wrong with one that was replaced is told with the one that came in its place.
  const isTold =
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
          {version.mistaken && <span class="badge failed">{t.mistaken}</span>}
        </p>
        <p class="text">{version.text}</p>
        <Facts of={[day(version.createdAt), version.author && shownAuthor(version.author)]} />
        {last?.reason && !isTold && (
          <p class={last.outcome === 'success' ? 'why' : 'beware'}>
            <b>{t[last.outcome]}:</b> {last.reason}
          </p>
        )}
        <Because
          version={version}
          before={versionBefore(decision, version)}
          links={decision.restsOn}
          isAsked={isAsked}
        />
      </div>
    </li>
  );
}

interface BecauseProps {
  version: Version;
  /** The version in whose place it came. */
  before: Version | undefined;
  links: Link[];
  /** Whether it is the one that is read: its reason stands beside. */
  isAsked: boolean;
}

/** Why a version is as it is: what went wrong with the one before, and its own reason. */
function Because({ version: { reasoning, status }, before, links, isAsked }: BecauseProps) {
  const { t } = useSpeech();
  const isChange = before !== undefined && !wrongWith(before);
  return (
    <>
      <Cause before={before} />
      {(isChange || (reasoning && !isAsked)) && (
        <p class="why">
          <b>{status === 'withdrawn' ? t.withdrawn : isChange ? t.changedBecause : t.why}:</b>{' '}
          {reasoning ? <Reasoned text={reasoning} links={links} /> : t.noReasonGiven}
        </p>
      )}
    </>
  );
}

/** What went wrong with the version before, and so led to this one. */
export function Cause({ before }: Pick<BecauseProps, 'before'>) {
  const { t } = useSpeech();
  const wrong = before && wrongWith(before);
  if (!wrong) return null;
  return (
    <p class="beware">
      <b>{t.changedSince[wrong.outcome](before.version)}</b> {wrong.reason ?? t.noReasonGiven}
    </p>
  );
}

function wrongWith(version: Version) {
  const last = outcomeOf(version);
  return last && last.outcome !== 'success' ? { ...last, outcome: last.outcome } : undefined;
}

/** All that was said of how a version went, the newest first. */
export function Outcomes({ version }: { version: Version }) {
  const { t, day } = useSpeech();
  if (version.outcomes.length === 0) return null;
  return (
    <Part id="became" title={t.became} note={String(version.outcomes.length)}>
      <ol class="rows">
        {version.outcomes.toReversed().map(({ outcome, reason, createdAt, retracted, author }, place) => (
          <li key={createdAt + place} class={`plain ${outcome === 'failed' && !retracted ? 'failed' : ''}`}>
            <p class="badges">
              <OutcomeBadge outcome={outcome} />
              {retracted && <span class="badge withdrawn">{t.retracted}</span>}
            </p>
            {reason && <p class="text">{reason}</p>}
            <Facts of={[day(createdAt), author && shownAuthor(author)]} />
          </li>
        ))}
      </ol>
    </Part>
  );
}
