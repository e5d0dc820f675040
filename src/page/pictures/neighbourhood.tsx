import { useState } from 'preact/hooks';
import type { Graph, GraphNode, Link } from '../data/operations.ts';
import { useHref, useRead } from '../data/session.ts';
import { SIGNS } from '../parts/marks.tsx';
import { LinkedDecisions, mergeLinks } from '../parts/rows.tsx';
import { Await } from '../parts/states.tsx';
import { useSpeech } from '../words/words.ts';

interface Props {
  id: string;
  topic: string;
  /** The version that is shown. */
  asked: number;
  dependsOn: Link[];
  dependents: Link[];
}

/** What a decision depends on and what depends on it, as a picture and as lists. Narrow screens show only the lists. */
export function Neighbourhood({ id, topic, asked, ...links }: Props) {
  const [dependsOn, dependents] = [mergeLinks(links.dependsOn), mergeLinks(links.dependents)];
  const { t, number } = useSpeech();
  const [depth, setDepth] = useState(1);
  const graph = useRead('decision_graph', { around: id, depth, limit: 200 });
  if (dependsOn.length + dependents.length === 0) return <p class="quiet">{t.noLinks}</p>;
  return (
    <>
      <div class="picture wide-only">
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
              <Picture graph={data} label={t.picture(topic, dependsOn.length, dependents.length)} />
            </>
          )}
        </Await>
      </div>
      <div class="two">
        {(
          [
            [t.dependsOn, dependsOn],
            [t.dependents, dependents],
          ] as const
        ).map(([title, links]) => (
          <div key={title}>
            <h3>{title}</h3>
            {links.length === 0 ? (
              <p class="quiet">{t.nothing}</p>
            ) : (
              <LinkedDecisions links={links} asked={asked} />
            )}
          </div>
        ))}
      </div>
    </>
  );
}

function Picture({ graph, label }: { graph: Graph; label: string }) {
  const { t } = useSpeech();
  const { boxes, links, hidden, width, height } = layoutAround(graph);
  const first = boxes.find(({ column }) => column === -1);
  const last = boxes.find(({ column }) => column === 1);
  return (
    <figure class="scroll" aria-label={label}>
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
        {first && (
          <text class="column" x={first.x} y="18">
            {t.dependsOn}
          </text>
        )}
        {last && (
          <text class="column" x={last.x} y="18">
            {t.dependents}
          </text>
        )}
        {links.map(({ from, to, how, isReplaced }) => (
          <path
            key={`${from.node} ${to.node} ${how}`}
            class={`link ${how} ${isReplaced ? 'replaced' : ''}`}
            d={curve(from, to)}
            marker-end="url(#arrow)"
          />
        ))}
        {boxes.map((box) => (
          <Node key={box.node} box={box} node={graph.nodes[box.node] as GraphNode} />
        ))}
        {hidden.map(({ x, y, count }) => (
          <text key={x} class="column" x={x} y={y + 12}>
            {t.moreN(count)}
          </text>
        ))}
      </svg>
    </figure>
  );
}

function Node({ box, node }: { box: Box; node: GraphNode }) {
  const { t } = useSpeech();
  const href = useHref();
  const title = node.topic ?? t.noTopic;
  const words = [title, node.text, t[node.status], node.outcome && t[node.outcome]]
    .filter(Boolean)
    .join('. ');
  const state = `${node.status} ${node.outcome ?? 'open'} ${box.node === 0 ? 'middle' : ''}`;
  return (
    <a class={`node ${state}`} href={href('d', node.id)}>
      <title>{words}</title>
      <rect x={box.x} y={box.y} width={BOX.width} height={BOX.height} rx="5" />
      <rect class="edge" x={box.x} y={box.y} width="4" height={BOX.height} rx="2" />
      <text class="title" x={box.x + 12} y={box.y + 19}>
        {cutTo(title, BOX.width - 38, fontOf(600, 13))}
      </text>
      <text class="words" x={box.x + 12} y={box.y + 36}>
        {cutTo(node.text, BOX.width - 20, fontOf(400, 12))}
      </text>
      {node.outcome && (
        <text class="sign" x={box.x + BOX.width - 18} y={box.y + 19}>
          {SIGNS[node.outcome]}
        </text>
      )}
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

/** The part of a graph that is drawn. */
type Drawn = Pick<Graph, 'nodes' | 'links' | 'replaced'>;

/** The layout around a decision: what it depends on to the left, its dependents to the right. */
interface Around {
  boxes: Box[];
  /** Links between boxes that are shown. */
  links: { from: Box; to: Box; how: Graph['links'][number][2]; isReplaced: boolean }[];
  /** The number of boxes that did not fit, below their column. */
  hidden: { x: number; y: number; count: number }[];
  width: number;
  height: number;
}

const BOX = { width: 190, height: 46 };
const GAP = { x: 80, y: 12 };
/** Boxes in a column. */
const MOST = 8;
/** Room for the titles above the columns, and for links within a column at the sides. */
const MARGIN = { top: 30, side: 30 };

/** Lays out a graph around its first node. The same input gives the same picture. */
function layoutAround({ nodes, links, replaced = [] }: Drawn): Around {
  const columnOf = columnsFrom(0, links);
  const columns = [...Map.groupBy(columnOf.keys(), (node) => columnOf.get(node) as number)].sort(
    ([a], [b]) => a - b,
  );
  const first = columns[0]?.[0] ?? 0;
  const boxes = new Map<number, Box>();
  const tallest = Math.min(MOST, Math.max(...columns.map(([, members]) => members.length)));
  const height = MARGIN.top + tallest * (BOX.height + GAP.y) + 20;
  const hidden: Around['hidden'] = [];
  // Nearest columns first: the order in a column follows from the columns between it and the middle.
  for (const [column, members] of columns.toSorted(([a], [b]) => Math.abs(a) - Math.abs(b))) {
    const shown = byPriority(members, nodes).slice(0, MOST);
    const towards = (node: number) => middleOf(node, links, boxes);
    const placed = shown.toSorted((a, b) => towards(a) - towards(b));
    const x = MARGIN.side + (column - first) * (BOX.width + GAP.x);
    const top = MARGIN.top + ((tallest - shown.length) * (BOX.height + GAP.y)) / 2;
    for (const [place, node] of placed.entries())
      boxes.set(node, { node, column, x, y: top + place * (BOX.height + GAP.y) });
    if (members.length > shown.length)
      hidden.push({
        x,
        y: top + shown.length * (BOX.height + GAP.y) + 4,
        count: members.length - shown.length,
      });
  }
  const width = 2 * MARGIN.side + columns.length * (BOX.width + GAP.x) - GAP.x;
  return {
    boxes: [...boxes.values()],
    links: between(boxes, links, new Set(replaced)),
    hidden,
    width,
    height,
  };
}

/** A curve from one box to another, bowed outwards within a column. */
function curve(from: Box, to: Box): string {
  const [y1, y2] = [from.y + BOX.height / 2, to.y + BOX.height / 2];
  if (from.column === to.column) {
    const x = from.x;
    return `M${x} ${y1}C${x - 26} ${y1} ${x - 26} ${y2} ${x} ${y2}`;
  }
  const isLeft = to.x < from.x;
  const x1 = isLeft ? from.x : from.x + BOX.width;
  const x2 = isLeft ? to.x + BOX.width : to.x;
  const bow = (x2 - x1) / 2;
  return `M${x1} ${y1}C${x1 + bow} ${y1} ${x2 - bow} ${y2} ${x2} ${y2}`;
}

/** The signed distance of each node that can be reached. */
function columnsFrom(start: number, links: Graph['links']): Map<number, number> {
  const columnOf = new Map([[start, 0]]);
  let edge = [start];
  while (edge.length > 0) {
    const next: number[] = [];
    for (const at of edge)
      for (const [from, to] of links) {
        const [other, by] = from === at ? [to, -1] : to === at ? [from, 1] : [undefined, 0];
        if (other === undefined || columnOf.has(other)) continue;
        columnOf.set(other, (columnOf.get(at) as number) + by);
        next.push(other);
      }
    edge = next;
  }
  return columnOf;
}

/** The nodes in the order in which they are shown if not all fit: the middle, failures, the order of the server. */
function byPriority(members: number[], nodes: Graph['nodes']): number[] {
  const rank = (node: number) => (node === 0 ? 0 : nodes[node]?.outcome === 'failed' ? 1 : 2);
  return members.toSorted((a, b) => rank(a) - rank(b) || a - b);
}

function middleOf(node: number, links: Graph['links'], boxes: Map<number, Box>): number {
  const ys = links.flatMap(([from, to]) => {
    const other = from === node ? to : to === node ? from : undefined;
    const box = other === undefined ? undefined : boxes.get(other);
    return box ? [box.y] : [];
  });
  return ys.length === 0 ? 0 : ys.reduce((sum, y) => sum + y, 0) / ys.length;
}

function between(
  boxes: Map<number, Box>,
  links: Graph['links'],
  replaced: ReadonlySet<number>,
): Around['links'] {
  return links.flatMap(([one, other, how], place) => {
    const [from, to] = [boxes.get(one), boxes.get(other)];
    return from && to ? [{ from, to, how, isReplaced: replaced.has(place) }] : [];
  });
}

let pen: CanvasRenderingContext2D | null | undefined;

/** The width of a text when it is drawn, in pixels. */
function widthOf(text: string, font: string): number {
  pen ??= document.createElement('canvas').getContext('2d');
  if (!pen) return 0;
  pen.font = font;
  return pen.measureText(text).width;
}

/** The part of a text that fits a width. It is measured as drawn: Hangul is wider than Latin. */
function cutTo(text: string, width: number, font: string): string {
  if (widthOf(text, font) <= width) return text;
  const letters = [...text];
  let [low, high] = [0, letters.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (widthOf(`${letters.slice(0, middle).join('')}…`, font) <= width) low = middle;
    else high = middle - 1;
  }
  return `${letters.slice(0, low).join('')}…`;
}

/** The font of the page, as a canvas names it. @param weight of CSS @param size in pixels */
function fontOf(weight: number, size: number): string {
  return `${weight} ${size}px ${getComputedStyle(document.body).fontFamily}`;
}
