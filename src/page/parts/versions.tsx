import type { Link, Shown, Version } from '../data/operations.ts';
import { useHref } from '../data/session.ts';
import { shownAuthor, useSpeech } from '../words/words.ts';
import { Badges, Mark, OutcomeBadge } from './marks.tsx';
import { Reasoned } from './reasoned.tsx';
import { Facts } from './rows.tsx';
import { Part } from './states.tsx';

/** Every version of a decision, the newest first, with its reason and what became of it. */
export function Versions({ decision, asked }: { decision: Shown; asked: Version }) {
  const { t } = useSpeech();
  if (decision.versions.length === 1) return <p class="quiet">{t.replacedNone}</p>;
  return (
    <ol class="chain">
      {decision.versions.map((version) => (
        <VersionItem
          key={version.id}
          version={version}
          isAsked={version === asked}
          links={decision.restsOn}
        />
      ))}
    </ol>
  );
}

function VersionItem(props: { version: Version; isAsked: boolean; links: Link[] }) {
  const { version, isAsked, links } = props;
  const { t, day } = useSpeech();
  const href = useHref();
  const last = version.outcomes.findLast(({ retracted }) => !retracted);
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
        {last?.outcome === 'failed' && (
          <p class="beware">
            {t.thisFailed} {last.reason ?? t.noReasonGiven}
          </p>
        )}
        {/* What became of the one that is read stands beside. */}
        {last && last.outcome !== 'failed' && last.reason && !isAsked && (
          <p class={last.outcome === 'partial' ? 'beware' : 'why'}>
            <b>{t[last.outcome]}:</b> {last.reason}
          </p>
        )}
        {version.reasoning && (
          <p class="why">
            <b>{t.why}:</b> <Reasoned text={version.reasoning} links={links} />
          </p>
        )}
        <Facts of={[day(version.createdAt), version.author && shownAuthor(version.author)]} />
      </div>
    </li>
  );
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
