import { beginOf, endOf, type Track } from './lanes.ts';
import { cutTo, fontOf, widthOf } from './measure.ts';
import { gutterOf, type Sight, xOf } from './sight.ts';

/** A name beside the marks of a decision. */
interface Label {
  track: Track;
  text: string;
  /** Where it begins, in pixels. */
  x: number;
  width: number;
}

/** Pixels between a mark and a name. */
const APART = 13;
/** Pixels in which a name that is cut still says something. */
const LEAST = 50;

/**
 * The names that have room: behind the last mark of their decision, or before its first, or cut.
 * @param tracks row by row, in time
 */
export function labelsOf(sight: Sight, tracks: Track[]): Label[] {
  const font = fontOf(400, 12);
  const labels: Label[] = [];
  let [row, free] = [-1, 0];
  for (const [place, track] of tracks.entries()) {
    if (track.row !== row) [row, free] = [track.row, gutterOf(sight.width)];
    const [from, to] = [xOf(sight, beginOf(track)) - APART, xOf(sight, endOf(track)) + APART];
    const next = tracks[place + 1];
    const right = (next?.row === row ? xOf(sight, beginOf(next)) - APART : sight.width) - to;
    const left = from - free;
    free = Math.max(free, to);
    if (Math.max(right, left) < LEAST || to < gutterOf(sight.width)) continue;
    const name = nameOf(track);
    const width = widthOf(name, font);
    if (right < width && left >= width) labels.push({ track, text: name, x: from - width, width });
    else if (right >= Math.min(width, LEAST)) {
      free = to + Math.min(width, right);
      labels.push({ track, text: cutTo(name, right, font), x: to, width: free - to });
    }
  }
  return labels;
}

/** The lane says the scope. */
function nameOf({ node: { topic, scope } }: Track): string {
  const name = topic ?? '';
  return name.startsWith(`${scope}:`) ? name.slice(scope.length + 1) : name;
}
