import { useState } from 'preact/hooks';
import type { Graph, GraphNode } from '../data/operations.ts';
import { useCall, useHref, useLoad, useSession } from '../data/session.ts';
import { LastWeek, LoggedLine } from '../parts/logged.tsx';
import { Badges } from '../parts/marks.tsx';
import { DecisionRow, Facts } from '../parts/rows.tsx';
import { Await, Part } from '../parts/states.tsx';
import { Timeline } from '../pictures/timeline.tsx';
import { useSpeech } from '../words/words.ts';

/** Decisions that are read at once; a larger memory shows those that changed last. */
const MOST = 5_000;
/** Decisions in the list beside the picture. */
const LISTED = 100;

/** Every decision over time, in a lane for each scope. */
export function OverviewView() {
  const { t } = useSpeech();
  const { query } = useSession().route;
  const call = useCall();
  const graph = useLoad(
    () => call('decision_graph', { limit: MOST, marks: true }),
    ['overview', query.get('at')],
  );
  return (
    <>
      <h1>{t.overview}</h1>
      <p class="quiet intro">{t.overviewIntro}</p>
      <Await of={graph}>
        {(data) => (data.nodes.length === 0 ? <p class="quiet">{t.noMemory}</p> : <Overview graph={data} />)}
      </Await>
    </>
  );
}

function Overview({ graph }: { graph: Graph }) {
  const { t, number } = useSpeech();
  const [chosen, choose] = useState<GraphNode>();
  const [seen, see] = useState<GraphNode[]>([]);
  const [isListed, setListed] = useState(false);
  const count = Math.min(LISTED, seen.length);
  return (
    <>
      <Counts graph={graph} />
      <div class="beside">
        <Timeline graph={graph} chosen={chosen} choose={choose} see={see} />
        <aside>
          <div aria-live="polite" class="chosen card">
            {chosen ? <Chosen node={chosen} /> : <p class="quiet">{t.nothingChosen}</p>}
          </div>
          <Lately />
        </aside>
      </div>
      <details class="part" onToggle={({ currentTarget }) => setListed(currentTarget.open)}>
        <summary>{t.asList(number(count), number(seen.length))}</summary>
        {isListed && <List nodes={seen} />}
      </details>
    </>
  );
}

/** How many topics, decisions that stand and versions there are: one name for each, here and in every other view. */
function Counts({ graph: { nodes, total } }: { graph: Graph }) {
  const { t, number } = useSpeech();
  const href = useHref();
  const outcomes = nodes.flatMap(({ marks = [] }) => marks.map(([, outcome]) => outcome));
  const withdrawn = nodes.filter(({ status }) => status === 'withdrawn').length;
  const counts: [count: number, shown: string, address: Record<string, string>][] = [
    [nodes.length - withdrawn, t.standing, {}],
    [withdrawn, t.withdrawals, { state: 'withdrawn' }],
    [outcomes.length, t.versionsAll, { state: 'any' }],
    [outcomes.filter((each) => each === 'failed').length, t.failures, { state: 'any', outcome: 'failed' }],
  ];
  return (
    <div class="tally">
      <span role="status">{t.overviewOf(number(nodes.length), number(total))}</span>
      {/* Of a part of a memory, these would be taken for counts of all. */}
      {nodes.length === total &&
        counts
          .filter(([count]) => count > 0)
          .map(([count, shown, address]) => (
            <a key={shown} href={href('list', '', address)}>
              <strong>{number(count)}</strong> {shown}
            </a>
          ))}
    </div>
  );
}

/** What happened last, and the way to all of that week. */
function Lately() {
  const { t } = useSpeech();
  const { query } = useSession().route;
  const call = useCall();
  const last = useLoad(() => call('timeline', { limit: 6 }), ['lately', query.get('at')]);
  return (
    <Part id="lately" title={t.lately}>
      <Await of={last}>
        {({ entries }) => (
          <>
            <ol class="brief">
              {entries.map((entry, place) => (
                <LoggedLine key={entry.at + place} entry={entry} />
              ))}
            </ol>
            <LastWeek newest={entries[0]} />
          </>
        )}
      </Await>
    </Part>
  );
}

/** The same decisions as the picture has in view, the newest first. */
function List({ nodes }: { nodes: GraphNode[] }) {
  const shown = nodes.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt)).slice(0, LISTED);
  return (
    <ol class="rows">
      {shown.map((node) => (
        <DecisionRow key={node.id} {...node} />
      ))}
    </ol>
  );
}

function Chosen({ node }: { node: GraphNode }) {
  const { t, day } = useSpeech();
  const href = useHref();
  const failures = (node.marks ?? []).slice(0, -1).filter(([, outcome]) => outcome === 'failed').length;
  return (
    <>
      <h2>
        <a href={href('d', node.id)}>{node.topic ?? t.noTopic}</a>
      </h2>
      <p class="badges">
        <Badges {...node} />
      </p>
      <p class="text">{node.text}</p>
      {failures > 0 && <p class="beware">{t.failedBefore(failures)}</p>}
      <Facts of={[node.scope, t.versionsN(node.versions), day(node.createdAt)]} />
    </>
  );
}
