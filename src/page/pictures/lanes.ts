import type { GraphNode } from '../data/operations.ts';

/** A scope with its rows, one below the other. */
interface Lane {
  scope: string;
  /** Its first row, and how many it has. */
  top: number;
  rows: number;
}

/** A chain of decisions on its row. */
export interface Track {
  node: GraphNode;
  row: number;
  /** Of each version: when it was saved in milliseconds UTC, what became of it, and how strong it is. */
  marks: { at: number; outcome: GraphNode['outcome']; strength: GraphNode['strength'] }[];
}

/** Chains over time: a lane for each scope, in it as many rows as it takes for no two chains to overlap. */
export interface Lanes {
  lanes: Lane[];
  /** By row, then by time. */
  tracks: Track[];
  rows: number;
  /** Milliseconds UTC. */
  first: number;
  last: number;
}

/** How far two chains of a row stay apart, as a share of all time; among a few there is room for their names. */
const APART = { few: 0.13, many: 0.015 };
const FEW = 100;

/** @param nodes with their marks; the scopes stand in the order in which they are first named */
export function lanesOf(nodes: readonly GraphNode[]): Lanes {
  const tracks = nodes.map((node) => ({ node, row: 0, marks: marksOf(node) }));
  const times = tracks.flatMap(({ marks }) => marks.map(({ at }) => at));
  const first = times.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const last = times.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  const apart = (last - first) * (nodes.length > FEW ? APART.many : APART.few);
  const lanes: Lane[] = [];
  let top = 0;
  for (const [scope, members] of Map.groupBy(tracks, ({ node }) => node.scope)) {
    const ends: number[] = [];
    for (const track of members.sort((a, b) => beginOf(a) - beginOf(b))) {
      const free = ends.findIndex((end) => end + apart < beginOf(track));
      const row = free === -1 ? ends.length : free;
      ends[row] = endOf(track);
      track.row = top + row;
    }
    lanes.push({ scope, top, rows: ends.length });
    top += ends.length;
  }
  tracks.sort((a, b) => a.row - b.row || beginOf(a) - beginOf(b));
  return { lanes, tracks, rows: top, first, last };
}

/** Those whose rows are in view. @param from the first row @param to the last one */
export function inRows({ tracks }: Lanes, from: number, to: number): Track[] {
  return tracks.slice(firstFrom(tracks, from), firstFrom(tracks, to + 1));
}

/** The track that an arrow key leads to. @param by how many tracks along a row, or how many rows */
export function besides({ tracks }: Lanes, at: Track, by: { along: number } | { rows: number }): Track {
  if ('along' in by) {
    const inTime = tracks.toSorted((a, b) => endOf(a) - endOf(b) || a.row - b.row);
    return inTime[inTime.indexOf(at) + by.along] ?? at;
  }
  const row = at.row + by.rows;
  const others = tracks.slice(firstFrom(tracks, row), firstFrom(tracks, row + 1));
  const away = (track: Track) => Math.abs(endOf(track) - endOf(at));
  return others.toSorted((a, b) => away(a) - away(b))[0] ?? at;
}

export const beginOf = ({ marks }: Track): number => marks[0]?.at ?? 0;
export const endOf = ({ marks }: Track): number => marks.at(-1)?.at ?? 0;

function marksOf({ marks, createdAt, outcome, strength }: GraphNode): Track['marks'] {
  const found = (marks ?? []).map(([at, became, held]) => ({
    at: Date.parse(at),
    outcome: became,
    strength: held,
  }));
  return found.length > 0 ? found : [{ at: Date.parse(createdAt), outcome, strength }];
}

/** The place of the first track from a row on. */
function firstFrom(tracks: Track[], row: number): number {
  let [low, high] = [0, tracks.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((tracks[middle] as Track).row < row) low = middle + 1;
    else high = middle;
  }
  return low;
}
