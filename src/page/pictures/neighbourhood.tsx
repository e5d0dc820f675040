import { useState } from 'preact/hooks';
import type { Graph, GraphNode, Shown, Version } from '../data/operations.ts';
import { useHref, useRead } from '../data/session.ts';
import { SIGNS } from '../parts/marks.tsx';
import { LinkedDecisions, mergeLinks } from '../parts/rows.tsx';
import { Await } from '../parts/states.tsx';
import { useSpeech } from '../words/words.ts';

/** What a decision depends on and what depends on it, as a picture and as lists. Narrow screens show only the lists. */
export function Neighbourhood({ decision, version }: { decision: Shown; version: Version }) {
  const { t } = useSpeech();
  const sides = [
    [t.dependsOn, mergeLinks(decision.edges.outgoing)],
    [t.dependents, mergeLinks(decision.edges.incoming)],
  ] as const;
  const [on, of] = sides.map(([, links]) => links.length) as [number, number];
  if (on + of === 0) return <p class="quiet">{t.noLinks}</p>;
  return (
    <>
      {innerWidth >= 700 && (
        <Linked id={version.id} label={t.picture(decision.decision.topic ?? t.noTopic, on, of)} />
      )}
      <div class="two">
        {sides.map(([title, links]) => (
          <div key={title}>
            <h3>{title}</h3>
            {links.length === 0 ? (
              <p class="quiet">{t.nothing}</p>
            ) : (
              <LinkedDecisions links={links} asked={version.version} />
            )}
          </div>
        ))}
      </div>
    </>
  );
}

function Linked({ id, label }: { id: string; label: string }) {
  const { t, number } = useSpeech();
  const [depth, setDepth] = useState(1);
  const graph = useRead('decision_graph', { around: id, depth, limit: 60 });
  return (
    <Await of={graph}>
      {(data) => (
        <>
          <label class="steps">
            {t.steps}
            <select value={depth} onChange={({ currentTarget }) => setDepth(Number(currentTarget.value))}>
              {[1, 2, 3].map((each) => (
                <option key={each}>{each}</option>
              ))}
            </select>
            <span class="note">{t.nOfM(number(data.nodes.length), number(data.total))}</span>
            {data.replaced && <span class="note">{t.earlierOnly}</span>}
          </label>
          <Picture graph={data} label={label} />
        </>
      )}
    </Await>
  );
}

function Picture({ graph, label }: { graph: Graph; label: string }) {
  const { t } = useSpeech();
  const { boxes, links, hidden, width, height } = layoutAround(graph);
  const titles = [
    [-1, t.dependsOn],
    [1, t.dependents],
  ] as const;
  return (
    <figure aria-label={label}>
      <svg class="around" width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
        <title>{label}</title>
        <defs>
          <marker
            id="arrow"
            viewBox="0 0 8 8"
            refX="7"
            refY="4"
            markerWidth="7"
            markerHeight="7"
            orient="auto"
          >
            <path d="M0 0L8 4L0 8Z" />
          </marker>
        </defs>
        {titles.map(([column, title]) => (
          <text key={title} x={boxes.find((box) => box.column === column)?.x ?? width} y="18">
            {title}
          </text>
        ))}
        {links.map(({ from, to, how, isReplaced }) => (
          <path
            key={`${from.node} ${to.node} ${how}`}
            class={`link ${how} ${isReplaced ? 'replaced' : ''}`}
            d={curve(from, to)}
            marker-end="url(#arrow)"
          />
        ))}
        {boxes.map(({ node, x, y }) => (
          <foreignObject key={node} x={x} y={y} {...BOX}>
            <Node node={graph.nodes[node] as GraphNode} isMiddle={node === 0} />
          </foreignObject>
        ))}
        {hidden.map(({ x, y, count }) => (
          <text key={x} x={x} y={y + 12}>
            {t.moreN(count)}
          </text>
        ))}
      </svg>
    </figure>
  );
}

function Node({ node, isMiddle }: { node: GraphNode; isMiddle: boolean }) {
  const { t } = useSpeech();
  const href = useHref();
  const { id, topic, text, status, outcome } = node;
  const title = topic ?? t.noTopic;
  return (
    <a
      class={`node ${status} ${outcome ?? ''} ${isMiddle ? 'middle' : ''}`}
      href={href('d', id)}
      title={[title, text, t[status], outcome && t[outcome]].filter(Boolean).join('. ')}
    >
      <strong>
        {outcome && `${SIGNS[outcome]} `}
        {title}
      </strong>
      <span>{text}</span>
    </a>
  );
}

/** A box of a picture. */
interface Box {
  /** Its index in the nodes of the graph. */
  node: number;
  /** Links from the decision: positive to the right (dependents), negative to the left (what it depends on). */
  column: number;
  x: number;
  y: number;
}

const BOX = { width: 190, height: 46 };
const GAP = { x: 80, y: 12 };
/** Boxes in a column. */
const MOST = 8;
/** Room for the titles above the columns, and for links within a column at the sides. */
const MARGIN = { top: 30, side: 30 };

/** Lays out a graph around its first node: what it depends on to the left, its dependents to the right. The same input gives the same picture. */
function layoutAround({ nodes, links, replaced = [] }: Graph) {
  // The signed distance of each node: what is added while this goes on is visited, too.
  const columnOf = new Map([[0, 0]]);
  for (const [at, column] of columnOf)
    for (const [from, to] of links) {
      if (from === at && !columnOf.has(to)) columnOf.set(to, column - 1);
      if (to === at && !columnOf.has(from)) columnOf.set(from, column + 1);
    }
  const columns = [...Map.groupBy(columnOf.keys(), (node) => columnOf.get(node) as number)];
  const first = Math.min(...columnOf.values());
  const tallest = Math.min(MOST, Math.max(...columns.map(([, members]) => members.length)));
  const boxes = new Map<number, Box>();
  /** How many did not fit, below their column. */
  const hidden: { x: number; y: number; count: number }[] = [];
  /** What is shown if not all fit: failures, then as the server has them. */
  const rank = (node: number) => (nodes[node]?.outcome === 'failed' ? -1 : node);
  /** The height of what a node is linked with. */
  const towards = (node: number) => {
    const ys = links.flatMap(([from, to]) =>
      from === node || to === node ? (boxes.get(from === node ? to : from)?.y ?? []) : [],
    );
    return ys.reduce((sum, y) => sum + y, 0) / (ys.length || 1);
  };
  // Nearest columns first: the order in a column follows from the columns between it and the middle.
  for (const [column, members] of columns.sort(([a], [b]) => Math.abs(a) - Math.abs(b))) {
    const shown = members.sort((a, b) => rank(a) - rank(b)).slice(0, MOST);
    const x = MARGIN.side + (column - first) * (BOX.width + GAP.x);
    const top = MARGIN.top + ((tallest - shown.length) * (BOX.height + GAP.y)) / 2;
    for (const [place, node] of shown.toSorted((a, b) => towards(a) - towards(b)).entries())
      boxes.set(node, { node, column, x, y: top + place * (BOX.height + GAP.y) });
    const count = members.length - shown.length;
    if (count > 0) hidden.push({ x, y: top + shown.length * (BOX.height + GAP.y) + 4, count });
  }
  return {
    boxes: [...boxes.values()],
    links: links.flatMap(([one, other, how], place) => {
      const [from, to] = [boxes.get(one), boxes.get(other)];
      return from && to ? [{ from, to, how, isReplaced: replaced.includes(place) }] : [];
    }),
    hidden,
    width: 2 * MARGIN.side + columns.length * (BOX.width + GAP.x) - GAP.x,
    height: MARGIN.top + tallest * (BOX.height + GAP.y) + 20,
  };
}

/** A curve from one box to another, bowed outwards within a column. */
function curve(from: Box, to: Box): string {
  const [y1, y2] = [from.y, to.y].map((y) => y + BOX.height / 2);
  const isLeft = to.x <= from.x;
  const x1 = isLeft ? from.x : from.x + BOX.width;
  const x2 = from.x === to.x || !isLeft ? to.x : to.x + BOX.width;
  const bow = from.x === to.x ? -26 : (x2 - x1) / 2;
  return `M${x1} ${y1}C${x1 + bow} ${y1} ${from.x === to.x ? x1 + bow : x2 - bow} ${y2} ${x2} ${y2}`;
}
