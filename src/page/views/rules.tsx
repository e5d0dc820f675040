import { written } from '../data/filter.ts';
import type { Decision, Result } from '../data/operations.ts';
import { useCall, useHref, useLoad, useRead, useSession } from '../data/session.ts';
import { EVERYWHERE, readBinding } from '../parts/binding.ts';
import { ListedDecision } from '../parts/rows.tsx';
import { Await, Heading, Part } from '../parts/states.tsx';
import { useSpeech } from '../words/words.ts';

type Scope = Result<'list_names'>['names'][number];
/** Rules under one heading, and how many there are, read or not. */
interface Group {
  title: string;
  rows: Decision[];
  total: number;
}

/** Decisions read of each strength. */
const MOST = 200;

/** What binds: the axes and locks of everywhere and of each area, or all rules of one scope in the order of their tiers (D-10, X-1). */
export function RulesView() {
  const { t } = useSpeech();
  const { query } = useSession().route;
  const chosen = query.get('scope') || undefined;
  const scopes = useRead('list_names', { kind: 'scopes', limit: 1000 });
  return (
    <Await of={scopes}>
      {({ names: scopes }) => {
        const has = (scope: string) =>
          scopes.some(({ name, names = [] }) => name === scope || names.includes(scope));
        return (
          <div class="split">
            <Scopes scopes={scopes} chosen={chosen} />
            <div>
              <Heading>{chosen === undefined ? t.rules : `${t.rules}: ${chosen}`}</Heading>
              {chosen === undefined ? (
                <Everything />
              ) : has(chosen) ? (
                <OfScope scope={chosen} hasEverywhere={has(EVERYWHERE)} />
              ) : (
                <p class="quiet">{t.nothing}</p>
              )}
            </div>
          </div>
        );
      }}
    </Await>
  );
}

function Scopes({ scopes, chosen }: { scopes: Scope[]; chosen: string | undefined }) {
  const { t, number } = useSpeech();
  const href = useHref();
  const current = (is: boolean) => (is ? 'page' : undefined);
  return (
    <nav class="scopes" aria-label={t.scopes}>
      <details open={innerWidth >= 800}>
        <summary>{chosen ?? t.allAreas}</summary>
        <ul>
          <li>
            <a href={href('rules')} aria-current={current(chosen === undefined)}>
              {t.allAreas}
            </a>
          </li>
          {scopes.map(({ name: scope, count, axis = 0, lock = 0 }) => (
            <li key={scope}>
              <a href={href('rules', '', { scope })} aria-current={current(chosen === scope)}>
                {scope}
              </a>{' '}
              <span class="note">
                {number(count)}
                {axis > 0 && ` · ◆ ${number(axis)}`}
                {lock > 0 && ` · ■ ${number(lock)}`}
              </span>
            </li>
          ))}
        </ul>
      </details>
    </nav>
  );
}

function Everything() {
  const { t } = useSpeech();
  const call = useCall();
  const bound = useLoad(() => readBinding(call, MOST), ['binding']);
  return (
    <Await of={bound}>
      {({ decisions, total }) => {
        const groups = [...Map.groupBy(decisions, ({ scope }) => scope)].map(([scope, rows]) => ({
          title: scope === EVERYWHERE ? t.everywhere : scope,
          rows,
          total: rows.length,
        }));
        return <Groups of={groups} total={total} />;
      }}
    </Await>
  );
}

function OfScope({ scope, hasEverywhere }: { scope: string; hasEverywhere: boolean }) {
  const { t } = useSpeech();
  const call = useCall();
  const tiers = (Object.keys(t.tiers) as (keyof typeof t.tiers)[]).filter(
    (tier) => tier.startsWith('domain') || (hasEverywhere && scope !== EVERYWHERE),
  );
  const read = useLoad(
    () =>
      Promise.all(
        tiers.map((tier) => {
          const [of, strength] = tier.split('+') as ['global' | 'domain', Decision['strength']];
          return call('decision_list', { scope: of === 'global' ? of : scope, strength, limit: MOST });
        }),
      ),
    [tiers, scope],
  );
  return (
    <Await of={read}>
      {(lists) => {
        const groups = tiers.map((tier, place) => ({
          title: t.tiers[tier],
          rows: lists[place]?.decisions ?? [],
          total: lists[place]?.total ?? 0,
        }));
        return <Groups of={groups} total={groups.reduce((sum, { total }) => sum + total, 0)} />;
      }}
    </Await>
  );
}

function Groups({ of, total }: { of: Group[]; total: number }) {
  const { t, number } = useSpeech();
  const href = useHref();
  const scope = useSession().route.query.get('scope');
  const rows = of.flatMap((group) => group.rows);
  if (total === 0) return <p class="quiet">{t.nothingBinds}</p>;
  return (
    <>
      <p class="quiet">
        <span role="status">{t.nOfM(number(rows.length), number(total))}</span>
        {scope !== null && rows.length < total && (
          <a href={href('list', '', { q: written('scope', scope) })}>{t.showAll(number(total))}</a>
        )}
      </p>
      {of.map(
        ({ title, rows, total }, place) =>
          rows.length > 0 && (
            <Part key={title} id={`rules-${place}`} title={title} note={number(total)}>
              <ol class="rows">
                {rows.map((row) => (
                  <ListedDecision key={row.id} row={row} />
                ))}
              </ol>
            </Part>
          ),
      )}
    </>
  );
}
