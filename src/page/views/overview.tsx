import { useState } from 'preact/hooks';
import type { Graph, GraphNode } from '../data/operations.ts';
import { useCall, useHref, useLoad, useSession } from '../data/session.ts';
import { Badges } from '../parts/marks.tsx';
import { DecisionRow, Facts } from '../parts/rows.tsx';
import { Await } from '../parts/states.tsx';
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
      <p class="quiet" role="status">
        {t.overviewOf(number(graph.nodes.length), number(graph.total))}
      </p>
      <div class="beside">
        <Timeline graph={graph} chosen={chosen} choose={choose} see={see} />
        <aside aria-live="polite" class="chosen" aria-label={t.chosen}>
          {chosen ? <Chosen node={chosen} /> : <p class="quiet">{t.nothingChosen}</p>}
        </aside>
      </div>
      <details class="part" onToggle={({ currentTarget }) => setListed(currentTarget.open)}>
        <summary>{t.asList(number(count), number(seen.length))}</summary>
        {isListed && <List nodes={seen} />}
      </details>
    </>
  );
}

/** The same decisions as the picture has in view, the newest first. */
function List({ nodes }: { nodes: GraphNode[] }) {
  const { t } = useSpeech();
  const href = useHref();
  const shown = nodes.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt)).slice(0, LISTED);
  return (
    <ol class="rows">
      {shown.map((node) => (
        <li key={node.id} class={node.outcome === 'failed' ? 'failed' : ''}>
          <DecisionRow href={href('d', node.id)} title={node.topic ?? t.noTopic} {...node} />
        </li>
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
