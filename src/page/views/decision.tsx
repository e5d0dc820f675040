import type { ComponentChildren } from 'preact';
import type { Link, Shown, Version } from '../data/operations.ts';
import { useHref, useRead, useSession } from '../data/session.ts';
import { Actions } from '../parts/actions.tsx';
import { Copy } from '../parts/copy.tsx';
import { Markdown } from '../parts/markdown.tsx';
import { Badges } from '../parts/marks.tsx';
import { LEADING_REFERENCE, LinkedText } from '../parts/reason-text.tsx';
import { Facts, mergeLinks, Pairs } from '../parts/rows.tsx';
import { Await, Heading, Part } from '../parts/states.tsx';
import { lastOutcome, Outcomes, Versions } from '../parts/versions.tsx';
import { Neighbourhood } from '../pictures/neighbourhood.tsx';
import type { ShownAttribute } from '../words/en.ts';
import { useSpeech } from '../words/words.ts';

/**
 * One decision, in the order in which people ask: its text, warnings, why, since when and by whom, earlier versions, what it
 * depends on, what depends on it.
 */
export function DecisionView() {
  const { route } = useSession();
  const shown = useRead('show', { ref: route.id });
  return <Await of={shown}>{({ decision }) => decision && <Whole decision={decision} />}</Await>;
}

function Whole({ decision }: { decision: Shown }) {
  const { t, reason } = useSpeech();
  const version = decision.versions.find((each) => each.version === decision.decision.version);
  if (!version) return null;
  const topic = decision.decision.topic ?? t.noTopic;
  const outcome = lastOutcome(version);
  return (
    <article>
      <div class="summary">
        <p class="facts">
          {version.scope} · {t.version(version.version)}
        </p>
        <Heading>{topic}</Heading>
        <p class="badges">
          {version.mistaken ? (
            <span class="badge failed">{t.undoneVersion}</span>
          ) : (
            <Badges status={version.status} outcome={outcome?.outcome ?? null} strength={version.strength} />
          )}
          <Copy label={t.copyLink} text={() => location.href} />
        </p>
        <div class="statement">
          <Markdown text={version.text} links={decision.edges.outgoing} />
        </div>
        <Actions decision={decision} version={version} />
        <Jumps decision={decision} />
      </div>
      <DecisionWarnings decision={decision} version={version} />
      <div class="sides">
        <div>
          <Part id="why" title={t.why}>
            {version.reasoning ? (
              <Markdown text={reason(version.reasoning)} links={decision.edges.outgoing} />
            ) : (
              <p class="quiet">{t.noWhy}</p>
            )}
          </Part>
          <Origin decision={decision} version={version} />
          <Outcomes version={version} />
        </div>
        <Part
          id="versions"
          title={t.howChanged}
          {...(decision.versions.length > 1 && { note: t.versionsInAll(decision.versions.length) })}
        >
          <Versions decision={decision} asked={version} />
        </Part>
      </div>
      <Part id="dependencies" title={t.dependencies}>
        <Neighbourhood decision={decision} version={version} />
      </Part>
      <div class="sides">
        <Evidence decision={decision} />
        <Anchors decision={decision} />
      </div>
    </article>
  );
}

/** Counts of the parts further down, with a jump to each. */
function Jumps({ decision: { decision, versions, edges, evidence } }: { decision: Shown }) {
  const { t } = useSpeech();
  // Links that only replaced versions have are listed, but not counted.
  const today = (links: Link[]) => mergeLinks(links).filter(({ last }) => last >= decision.version).length;
  const parts: [id: string, shown: string | false][] = [
    ['versions', versions.length > 1 && t.versionsWhy(versions.length)],
    ['dependencies', today(edges.outgoing) > 0 && t.dependsOnN(today(edges.outgoing))],
    ['dependencies', today(edges.incoming) > 0 && t.dependentsN(today(edges.incoming))],
    ['evidence', evidence.length > 0 && t.evidenceN(evidence.length)],
  ];
  return (
    <p class="buttons">
      {parts.map(
        ([id, shown]) =>
          shown && (
            <button type="button" key={shown} class="small" onClick={() => jump(id)}>
              {shown} ↓
            </button>
          ),
      )}
    </p>
  );
}

/** Keys go on from the part that one jumps to. */
function jump(id: string): void {
  const heading = document.getElementById(id);
  heading?.setAttribute('tabindex', '-1');
  heading?.focus();
}

function Origin({ decision, version }: { decision: Shown; version: Version }) {
  const { t, time, day, by, tidied } = useSpeech();
  const first = decision.versions.at(-1);
  const shown = { ...version, strength: t.strengths[version.strength] };
  const attributes = (Object.keys(t.attributes) as ShownAttribute[]).filter((name) => shown[name] !== null);
  return (
    <Part id="since" title={t.sinceWhen}>
      <Pairs
        of={[
          [t.activeSince, time(version.created_at)],
          [t.by, by(version) ?? t.noAuthor],
          ...(version.tidied ? [[t.since, tidied(version.tidied)] as const] : []),
          ...(decision.renamed ?? []).map(
            (each) =>
              [t.formerName, [each.from, by(each), day(each.at)].filter(Boolean).join(' · ')] as const,
          ),
          ...attributes.map((name) => [t.attributes[name], shown[name]] as const),
          ...(decision.hints ? [[t.hints, decision.hints.join(' · ')] as const] : []),
          ...(first && first !== version ? [[t.firstMade, time(first.created_at)] as const] : []),
        ]}
      />
    </Part>
  );
}

/** A confidence below it is a warning. It is also the default of the memory. */
const SURE = 0.5;

/** The warnings about a decision, shown before its reason, each failure with its whole reason. Renders nothing if there are none. */
function DecisionWarnings({ decision, version }: { decision: Shown; version: Version }) {
  const { t, day, by } = useSpeech();
  const href = useHref();
  const outcome = lastOutcome(version);
  const active = decision.versions.find(({ status }) => status === 'active');
  const before = decision.versions.flatMap((each) => {
    const last = lastOutcome(each);
    const isWrong = each.version < version.version && !each.mistaken && last && last.outcome !== 'success';
    return isWrong ? [{ ...each, last }] : [];
  });
  const hasFailed = before.some(({ last }) => last.outcome === 'failed');
  const warnings: ComponentChildren[] = [
    version.status === 'superseded' && (
      <>
        {t.isOld} {active && <a href={href('d', active.id)}>{t.toActive}</a>}
      </>
    ),
    outcome?.outcome === 'failed' &&
      `${t.thisFailed} ${outcome.reason ?? t.noReasonGiven} (${[day(outcome.created_at), by(outcome)].filter(Boolean).join(', ')})`,
    ...before.map(({ id, text, version, last }) => (
      <>
        {last.outcome === 'failed' ? t.earlierFailed : t.earlierPartial} “{text}” —{' '}
        {last.reason ? `“${last.reason}”` : t.noReasonGiven} <a href={href('d', id)}>{t.version(version)}</a>
      </>
    )),
    ...(decision.failed_basis ?? []).map((basis) => (
      <>
        {t.basisFailed} <LinkedText text={basis} names={LEADING_REFERENCE} />
      </>
    )),
    version.status === 'withdrawn' && t.isWithdrawn,
    !hasFailed && decision.earlier_failure && `${t.earlierFailed} ${decision.earlier_failure}`,
    version.confidence < SURE && t.isUnsure(String(version.confidence)),
    ...decision.edges.incoming.map(
      ({ relationship, decision: other }) =>
        relationship === 'debates' &&
        other.status === 'active' && (
          <>
            {t.isDebated} <a href={href('d', other.id)}>{other.topic ?? t.noTopic}</a> {other.text}
          </>
        ),
    ),
  ].filter(Boolean);
  if (warnings.length === 0) return null;
  return (
    <section class="part alarm" aria-labelledby="warnings">
      <h2 id="warnings">{t.warnings}</h2>
      <ul>
        {warnings.map((warning, place) => (
          <li key={place}>{warning}</li>
        ))}
      </ul>
    </section>
  );
}

/** The evidence of every version, word for word. */
function Evidence({ decision: { evidence, edges } }: { decision: Shown }) {
  const { t, day, number, by } = useSpeech();
  const href = useHref();
  if (evidence.length === 0) return null;
  return (
    <Part id="evidence" title={t.evidence} note={number(evidence.length)}>
      <ul class="rows">
        {evidence.map(({ id, content, version, timestamp, observation_id, observation, ...written }) => (
          <li key={id} class="plain">
            <blockquote>
              <Markdown text={content} links={edges.outgoing} />
            </blockquote>
            {observation_id !== undefined && (
              <p class="why">
                {t.fromObservation}{' '}
                <a href={href('o', String(observation_id))}>
                  #{observation_id} {observation}
                </a>
              </p>
            )}
            <Facts of={[t.version(version), day(timestamp), by(written)]} />
          </li>
        ))}
      </ul>
    </Part>
  );
}

/** Reminders that point to a decision or to its evidence; its hints end their lines, and stand with its other facts. */
function Anchors({ decision }: { decision: Shown }) {
  const { t, day, number } = useSpeech();
  const anchors = decision.anchors.filter(({ hint }) => !hint.endsWith('\n'));
  if (anchors.length === 0) return null;
  return (
    <Part id="anchors" title={t.anchors} note={number(anchors.length)}>
      <ul class="rows">
        {anchors.map(({ id, hint, version, created_at }) => (
          <li key={id} class="plain">
            <p class="text">⚓ {hint}</p>
            <Facts of={[t.version(version), day(created_at)]} />
          </li>
        ))}
      </ul>
    </Part>
  );
}
