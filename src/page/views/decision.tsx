import type { Link, Shown, Version } from '../data/operations.ts';
import { useCall, useLoad, useSession } from '../data/session.ts';
import { Acts } from '../parts/acts.tsx';
import { Beware } from '../parts/beware.tsx';
import { CopyLink } from '../parts/copy-link.tsx';
import { Anchors, Evidence } from '../parts/grounds.tsx';
import { Badges } from '../parts/marks.tsx';
import { Reasoned } from '../parts/reasoned.tsx';
import { eachOnce } from '../parts/rows.tsx';
import { Await, Part } from '../parts/states.tsx';
import { Cause, Outcomes, outcomeOf, Versions, versionBefore } from '../parts/versions.tsx';
import { Neighbourhood } from '../pictures/neighbourhood.tsx';
import { ATTRIBUTES } from '../words/decisions.ts';
import { shownAuthor, useSpeech } from '../words/words.ts';

/**
 * One decision, in the order in which people ask: what stands, what to beware of, why, since when and by whom, what it
 * replaced, what it rests on, what rests on it.
 */
export function DecisionView() {
  const { route } = useSession();
  const call = useCall();
  const shown = useLoad(() => call('show', { ref: route.id }), ['show', route.id, route.query.get('at')]);
  return <Await of={shown}>{({ decision }) => decision && <Whole decision={decision} />}</Await>;
}

function Whole({ decision }: { decision: Shown }) {
  const { t } = useSpeech();
  const version = decision.versions.find((each) => each.version === decision.asked);
  if (!version) return null;
  const topic = decision.topic ?? t.noTopic;
  const outcome = outcomeOf(version);
  const before = versionBefore(decision, version);
  return (
    <article class="decision">
      <div class="standing">
        <p class="facts">
          {version.scope} · {t.version(version.version)}
        </p>
        <h1>{topic}</h1>
        <p class="badges">
          <Badges status={version.status} outcome={outcome?.outcome ?? null} strength={version.strength} />
          {version.mistaken && <span class="badge failed">{t.mistaken}</span>}
          <CopyLink />
        </p>
        <p class="statement">{version.text}</p>
        <Acts decision={decision} version={version} />
        <Jumps decision={decision} />
      </div>
      <Beware decision={decision} version={version} outcome={outcome} />
      <div class="sides">
        <div>
          <Part id="why" title={before ? t.whyChanged : t.why}>
            <Cause before={before} />
            <p class={version.reasoning ? 'long' : 'quiet'}>
              {version.reasoning ? <Reasoned text={version.reasoning} links={decision.restsOn} /> : t.noWhy}
            </p>
          </Part>
          <Since decision={decision} version={version} />
          <Outcomes version={version} />
        </div>
        <Part
          id="replaced"
          title={t.replaced}
          {...(decision.versions.length > 1 && { note: t.versionsInAll(decision.versions.length) })}
        >
          <Versions decision={decision} asked={version} />
        </Part>
      </div>
      <Part id="rests" title={t.rests}>
        <Neighbourhood
          id={version.id}
          topic={topic}
          asked={version.version}
          restsOn={decision.restsOn}
          restOnIt={decision.restOnIt}
        />
      </Part>
      <div class="sides">
        <Evidence decision={decision} />
        <Anchors decision={decision} />
      </div>
    </article>
  );
}

/** How much there is further down, each a step away. */
function Jumps({ decision: { asked, versions, restsOn, restOnIt, evidence } }: { decision: Shown }) {
  const { t } = useSpeech();
  // What only replaced versions were linked with is listed, and does not count.
  const today = (links: Link[]) => eachOnce(links).filter(({ last }) => last >= asked).length;
  const parts: [id: string, shown: string | false][] = [
    ['replaced', versions.length > 1 ? t.versionsWhy(versions.length) : t.versionsN(1)],
    ['rests', t.restsOnN(today(restsOn))],
    ['rests', t.restN(today(restOnIt))],
    ['evidence', evidence.length > 0 && t.evidenceN(evidence.length)],
  ];
  return (
    <p class="buttons jumps">
      {parts.map(
        ([id, shown]) =>
          shown && (
            <button
              type="button"
              key={shown}
              class="small"
              onClick={() => document.getElementById(id)?.scrollIntoView()}
            >
              {shown} ↓
            </button>
          ),
      )}
    </p>
  );
}

function Since({ decision, version }: { decision: Shown; version: Version }) {
  const { t, time } = useSpeech();
  const first = decision.versions.at(-1);
  const shown = { ...version, strength: t.strengths[version.strength] };
  return (
    <Part id="since" title={t.sinceWhen}>
      <dl class="pairs">
        <div>
          <dt>{t.standsSince}</dt>
          <dd>{time(version.createdAt)}</dd>
        </div>
        <div>
          <dt>{t.by}</dt>
          <dd>{version.author ? shownAuthor(version.author) : t.nobody}</dd>
        </div>
        {ATTRIBUTES.map(
          (name) =>
            shown[name] !== null && (
              <div key={name}>
                <dt>{t.attributes[name]}</dt>
                <dd>{shown[name]}</dd>
              </div>
            ),
        )}
        {first && first !== version && (
          <div>
            <dt>{t.firstMade}</dt>
            <dd>{time(first.createdAt)}</dd>
          </div>
        )}
      </dl>
    </Part>
  );
}
