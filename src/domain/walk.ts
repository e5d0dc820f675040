/** A link as a walk sees it: from the node where the walk is to the other end. */
export interface Link<Key> {
  id: string | number;
  /** Grows with time: of the links of a node, a walk follows the one with the highest order first. Default: the id. */
  order?: number;
  at: Key;
  other: Key;
  /** 1 when the link points at the node where the walk is. */
  incoming: 0 | 1;
}

/** A node that a walk shows, and the link that led to it. */
export interface Step<Key> {
  node: Key;
  depth: number;
  /** The link that led to it, and the node from which; undefined for the start. */
  by: { parent: Key; link: string | number; incoming: boolean } | undefined;
}

export interface Walk<Key> {
  /** The start and the nodes reached, nearest first, at most as many as the cap. */
  steps: Step<Key>[];
  /** Nodes within the depth, the start included, shown or not. */
  total: number;
}

/**
 * The one bounded walk, over observation relations and decision edges alike: breadth first, in both directions,
 * one query a level. Each node appears once, at its shallowest depth, so that cycles end. Beyond the cap nodes are
 * counted, not kept. Of the links of a node, a walk follows the newest first.
 * @param depth how many links away, 1 or more
 * @param cap nodes to show at most, the start included
 * @param linksAt all links at these nodes, in either direction
 */
export async function walk<Key extends string | number>(
  start: Key,
  depth: number,
  cap: number,
  linksAt: (nodes: Key[]) => Promise<Link<Key>[]>,
): Promise<Walk<Key>> {
  const seen = new Set<Key>([start]);
  const steps: Step<Key>[] = [{ node: start, depth: 0, by: undefined }];
  let level: Key[] = [start];
  for (let distance = 1; distance <= depth && level.length > 0; distance++) {
    const links = await linksAt(level);
    const next: Key[] = [];
    // Only shown nodes need an order; the rest of a large level is just counted.
    for (const link of steps.length < cap ? inOrder(level, links) : links) {
      if (seen.has(link.other)) continue;
      seen.add(link.other);
      next.push(link.other);
      if (steps.length < cap) {
        const by = { parent: link.at, link: link.id, incoming: link.incoming === 1 };
        steps.push({ node: link.other, depth: distance, by });
      }
    }
    level = next;
  }
  return { steps, total: seen.size };
}

/** The steps of a walk as a tree; `make` gives the node of a step, without children yet. */
export function nest<Key, Node extends { children: Node[] }>(
  steps: Step<Key>[],
  make: (step: Step<Key>) => Node,
): Node {
  const nodes = new Map<Key, Node>();
  for (const step of steps) {
    const node = make(step);
    nodes.set(step.node, node);
    if (step.by) nodes.get(step.by.parent)?.children.push(node);
  }
  return nodes.get(steps[0]?.node as Key) as Node;
}

/** Links in the order of the nodes where they are; of one node, the newest first. */
function inOrder<Key>(level: Key[], links: Link<Key>[]): Link<Key>[] {
  const byNode = new Map<Key, Link<Key>[]>(level.map((node) => [node, []]));
  for (const link of links) byNode.get(link.at)?.push(link);
  return [...byNode.values()].flatMap((own) => own.sort(newestFirst));
}

function newestFirst<Key>(a: Link<Key>, b: Link<Key>): number {
  const [first, second] = [a.order ?? (a.id as number), b.order ?? (b.id as number)];
  if (first !== second) return second - first;
  // Links of one moment have an order too, the same on every engine.
  if (a.other !== b.other) return a.incoming - b.incoming || (a.other < b.other ? -1 : 1);
  return a.incoming - b.incoming || (a.id < b.id ? -1 : 1);
}
