import type { Graph } from '../data/operations.ts';

/** A box of a picture. */
export interface Box {
  /** Its place in the nodes of the graph. */
  node: number;
  /** How many links to the right of the decision it stands: those that rest on it; to the left what it rests on. */
  column: number;
  x: number;
  y: number;
}

/** What of a graph a picture needs. */
type Drawn = Pick<Graph, 'nodes' | 'links' | 'replaced'>;

/** A picture of what is around a decision: what it rests on to the left, what rests on it to the right. */
export interface Around {
  boxes: Box[];
  /** Those between boxes that are shown. */
  links: { from: Box; to: Box; how: Graph['links'][number][2]; isReplaced: boolean }[];
  /** Below each column that has more than fit. */
  hidden: { x: number; y: number; count: number }[];
  width: number;
  height: number;
}

export const BOX = { width: 190, height: 46 };
const GAP = { x: 80, y: 12 };
/** Boxes in a column. */
const MOST = 8;
/** Above the columns, for their names; beside them, for links within one. */
const MARGIN = { top: 30, side: 30 };

/** Lays out a graph around its first node, the same each time: failed ones first, then by where their links lead. */
export function layOut({ nodes, links, replaced = [] }: Drawn): Around {
  const columnOf = columnsFrom(0, links);
  const columns = [...Map.groupBy(columnOf.keys(), (node) => columnOf.get(node) as number)].sort(
    ([a], [b]) => a - b,
  );
  const first = columns[0]?.[0] ?? 0;
  const boxes = new Map<number, Box>();
  const tallest = Math.min(MOST, Math.max(...columns.map(([, members]) => members.length)));
  const height = MARGIN.top + tallest * (BOX.height + GAP.y) + 20;
  const hidden: Around['hidden'] = [];
  // Nearest first: where a box stands follows from those of the columns between it and the middle.
  for (const [column, members] of columns.toSorted(([a], [b]) => Math.abs(a) - Math.abs(b))) {
    const shown = chosen(members, nodes).slice(0, MOST);
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
export function curve(from: Box, to: Box): string {
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

/** The signed distance of each node that a walk reaches. */
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

/** The order in which nodes are shown when not all fit: the middle, what failed, what the server gave first. */
function chosen(members: number[], nodes: Graph['nodes']): number[] {
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
