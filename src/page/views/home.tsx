import { written } from '../data/filter.ts';
import type { Result } from '../data/operations.ts';
import { useCall, useHref, useLoad, useRead } from '../data/session.ts';
import { Attention } from '../parts/attention.tsx';
import { Copy } from '../parts/copy.tsx';
import { LogLine } from '../parts/logged.tsx';
import { BriefDecision, Pairs } from '../parts/rows.tsx';
import { Await, Heading, Part } from '../parts/states.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { useSpeech } from '../words/words.ts';

/** The newest decisions that are shown, of all scopes together. */
const MOST_DECISIONS = 40;
/** Where an empty memory goes on: the command that saves the first decision, that connects agents, that shows a filled memory. */
const FIRST = {
  save: 'precedent decide api:page "A hundred rows" --reasoning "Fewer requests"',
  setup: 'precedent setup',
  demo: 'precedent open --demo',
};

/** What waits for a look (V-3), then the newest decisions of each area, what happened last, and what is worth a look. */
export function HomeView() {
  const { t } = useSpeech();
  const call = useCall();
  const read = useLoad(
    () =>
      Promise.all([
        call('list_names', { kind: 'scopes', limit: 1000 }),
        call('decision_list', { limit: MOST_DECISIONS }),
      ]),
    ['areas'],
  );
  return (
    <>
      <Heading>{t.home}</Heading>
      <div class="home">
        <div>
          <Waiting />
          <Await of={read}>
            {([{ names: scopes }, { decisions, total }]) => (
              <Areas scopes={scopes} decisions={decisions} total={total} />
            )}
          </Await>
        </div>
        <aside>
          <Attention />
          <Lately />
        </aside>
      </div>
    </>
  );
}

/** The scopes, those with the newest decisions first. Those without any among the newest are named at the end. */
type Scopes = { scopes: Result<'list_names'>['names'] };
function Areas({ scopes, decisions, total }: Scopes & Result<'decision_list'>) {
  const { t, number } = useSpeech();
  const href = useHref();
  if (scopes.length === 0)
    return (
      <>
        <p>{t.noMemory}</p>
        <Pairs
          of={Object.entries(FIRST).map(([name, command]) => [
            t.first[name as keyof typeof FIRST],
            <span key={name} class="badges">
              <code>{command}</code> <Copy label={t.copyCommand} text={() => command} />
            </span>,
          ])}
        />
      </>
    );
  const byScope = Map.groupBy(decisions, ({ scope }) => scope);
  const others = scopes.filter(({ name }) => !byScope.has(name));
  return (
    <>
      <p class="quiet" role="status">
        {t.activeIn(number(total), number(scopes.length))}
      </p>
      <div class="areas">
        {[...byScope].map(([scope, rows]) => (
          <section key={scope} class="part">
            <h2>
              <a href={href('list', '', { q: written('scope', scope) })}>{scope}</a>{' '}
              <span class="note">
                {number(scopes.find(({ name }) => name === scope)?.count ?? rows.length)}
              </span>
            </h2>
            <ul class="rows">
              {rows.map((row) => (
                <BriefDecision key={row.id} row={row} />
              ))}
            </ul>
          </section>
        ))}
      </div>
      {others.length > 0 && (
        <p class="quiet">
          {t.otherAreas}{' '}
          {others.map(({ name, count }) => (
            <span key={name}>
              <a href={href('list', '', { q: written('scope', name) })}>{name}</a> {number(count)}{' '}
            </span>
          ))}
        </p>
      )}
    </>
  );
}

/** What happened last, and a link to all that happened. */
function Lately() {
  const { t } = useSpeech();
  const href = useHref();
  const last = useRead('timeline', { limit: 8 });
  return (
    <Await of={last}>
      {({ entries }) =>
        entries.length > 0 && (
          <Part id="lately" title={t.lately}>
            <ol class="brief">
              {entries.map((entry, place) => (
                <LogLine key={entry.at + place} entry={entry} />
              ))}
            </ol>
            <p>
              <a class="button" href={href('changes')}>
                {t.seeAll}
              </a>
            </p>
          </Part>
        )
      }
    </Await>
  );
}
