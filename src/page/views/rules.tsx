import type { Result } from '../data/operations.ts';
import { useCall, useHref, useLoad, useRead, useSession } from '../data/session.ts';
import { EVERYWHERE, readBinding } from '../parts/binding.ts';
import { ReasonText } from '../parts/reason-text.tsx';
import { DecisionRow, Facts, ListedDecision } from '../parts/rows.tsx';
import { SaveRows } from '../parts/save-rows.tsx';
import { Await, Heading, Part } from '../parts/states.tsx';
import { useSpeech } from '../words/words.ts';

type Retrieved = Result<'decision_retrieve'>;
type Binding = Retrieved['decisions'][number];

/** Decisions read, of all tiers together. */
const MOST = 200;
const TIERS = ['global+axis', 'domain+axis', 'domain+lock', 'domain+normal'] as const;

/** What binds: the axes and locks of everywhere and of each area, or the rules of one scope in the order of the four tiers (D-10, X-1). */
export function RulesView() {
  const { t } = useSpeech();
  const { query } = useSession().route;
  const scope = query.get('scope') ?? undefined;
  return (
    <div class="split">
      <Scopes chosen={scope} />
      <div>
        <Heading>{scope === undefined ? t.rules : `${t.rules}: ${scope}`}</Heading>
        {scope === undefined ? <Everything /> : <OfScope key={scope} scope={scope} />}
      </div>
    </div>
  );
}

function Scopes({ chosen }: { chosen: string | undefined }) {
  const { t, number } = useSpeech();
  const href = useHref();
  const scopes = useRead('scope_list', { limit: 1000 });
  const current = (is: boolean) => (is ? 'page' : undefined);
  return (
    <nav class="scopes" aria-label={t.scopes}>
      <Await of={scopes}>
        {(data) => (
          <details class="facets" open={innerWidth >= 800}>
            <summary>{chosen ?? t.allAreas}</summary>
            <ul>
              <li>
                <a href={href('rules')} aria-current={current(chosen === undefined)}>
                  {t.allAreas}
                </a>
              </li>
              {data.scopes.map(({ scope, total, axis, lock }) => (
                <li key={scope}>
                  <a href={href('rules', '', { scope })} aria-current={current(chosen === scope)}>
                    {scope}
                  </a>{' '}
                  <span class="note">
                    {number(total)}
                    {axis > 0 && ` · ◆ ${number(axis)}`}
                    {lock > 0 && ` · ■ ${number(lock)}`}
                  </span>
                </li>
              ))}
            </ul>
          </details>
        )}
      </Await>
    </nav>
  );
}

function Everything() {
  const { t, number } = useSpeech();
  const { query } = useSession().route;
  const href = useHref();
  const call = useCall();
  const bound = useLoad(() => readBinding(call, MOST), ['binding', query.get('at')]);
  return (
    <Await of={bound}>
      {({ decisions, total }) => (
        <>
          <p class="paging">
            <span role="status">{t.nOfM(number(decisions.length), number(total))}</span>
            {decisions.length < total && <a href={href('list', '', { strength: 'lock' })}>{t.allLocks}</a>}
            <SaveRows rows={decisions} />
          </p>
          {[...Map.groupBy(decisions, ({ scope }) => scope)].map(([scope, rows], place) => (
            <Part
              key={scope}
              id={`area-${place}`}
              title={scope === EVERYWHERE ? t.everywhere : scope}
              note={number(rows.length)}
            >
              <ol class="rows">
                {rows.map((row) => (
                  <ListedDecision key={row.id} row={row} />
                ))}
              </ol>
            </Part>
          ))}
          {total === 0 && <p class="quiet">{t.nothingBinds}</p>}
        </>
      )}
    </Await>
  );
}

function OfScope({ scope }: { scope: string }) {
  const bound = useRead('decision_retrieve', { limit: MOST, domain: scope });
  return <Await of={bound}>{(data) => <Tiers data={data} />}</Await>;
}

function Tiers({ data: { decisions, globalLocks = [], anchors, omitted, leftOut } }: { data: Retrieved }) {
  const { t, number } = useSpeech();
  const href = useHref();
  const shown = TIERS.map((tier) => ({ tier, rows: decisions.filter((each) => each.tier === tier) }));
  const others = [
    omitted.globalNormal > 0 && t.otherGlobal(omitted.globalNormal),
    omitted.otherScopes > 0 && t.otherScopes(omitted.otherScopes),
  ].filter((each) => typeof each === 'string');
  return (
    <>
      <p class="paging">
        <span role="status">
          {t.nOfM(number(decisions.length), number(decisions.length + omitted.overLimit))}
          {leftOut && ` · ${leftOut}`}
        </span>
        <SaveRows rows={decisions} />
      </p>
      {globalLocks.length > 0 && (
        <Part id="global-lock" title={t.lockedEverywhere} note={number(omitted.globalLock)}>
          <ol class="rows">
            {globalLocks.map((row) => (
              <DecisionRow key={row.id} {...row} status="active" outcome={null} strength="lock" />
            ))}
          </ol>
        </Part>
      )}
      {shown
        .filter(({ rows }) => rows.length > 0)
        .map(({ tier, rows }) => (
          <Part key={tier} id={tier.replace('+', '-')} title={t.tiers[tier]} note={number(rows.length)}>
            <ol class="rows">
              {rows.map((row) => (
                <BindingRow key={row.id} row={row} />
              ))}
            </ol>
          </Part>
        ))}
      {decisions.length === 0 && <p class="quiet">{t.nothing}</p>}
      {anchors.length > 0 && (
        <Part id="anchors" title={t.anchors} note={number(anchors.length)}>
          <ul class="rows">
            {anchors.map(({ id, hint, topic }) => (
              <li key={id} class="plain">
                <p class="text">⚓ {hint}</p>
                {topic !== null && (
                  <p class="facts">
                    <a href={href('d', topic)}>{topic}</a>
                  </p>
                )}
              </li>
            ))}
          </ul>
        </Part>
      )}
      {others.length > 0 && (
        <p class="quiet left-out">
          {t.notShown}: {others.join(', ')}
        </p>
      )}
    </>
  );
}

function BindingRow({ row }: { row: Binding }) {
  const { t, day } = useSpeech();
  const failures = [
    row.outcome === 'failed' && `${t.thisFailed} ${row.outcomeReason ?? t.noReasonGiven}`,
    row.earlierFailure &&
      `${t.earlierFailed} ${row.earlierFailure.decision} — ${row.earlierFailure.outcomeReason ?? t.noReasonGiven}`,
    ...(row.failedBasis ?? []).map(({ decision }) => `${t.basisFailed} ${decision}`),
  ].filter((each) => typeof each === 'string');
  return (
    <DecisionRow
      id={row.id}
      topic={row.topic}
      text={row.text}
      status="active"
      outcome={row.outcome}
      strength={row.strength}
    >
      {failures.map((failure) => (
        <p class="beware" key={failure}>
          {failure}
        </p>
      ))}
      {row.reasoning && (
        <p class="why">
          <ReasonText text={row.reasoning} />
        </p>
      )}
      <Facts of={[row.scope, day(row.createdAt)]} />
    </DecisionRow>
  );
}
