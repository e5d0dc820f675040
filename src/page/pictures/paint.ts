import type { GraphNode } from '../data/operations.ts';
import type { Speech } from '../words/words.ts';
import { labelsOf } from './labels.ts';
import { beginOf, endOf, inRows, type Lanes, type Track } from './lanes.ts';
import { cutTo, fontOf } from './measure.ts';
import { gutterOf, ROW, type Sight, TOP, xOf, yOf } from './sight.ts';

export type Colours = Record<
  'text' | 'quiet' | 'line' | 'band' | 'card' | 'link' | 'good' | 'bad' | 'part' | 'arrow',
  string
>;

/** The colours of the page as they are now: a canvas knows no variables. */
export function coloursOf(element: HTMLElement): Colours {
  const probe = element.appendChild(document.createElement('span'));
  const names = ['text', 'quiet', 'line', 'band', 'card', 'link', 'good', 'bad', 'part', 'arrow'] as const;
  const found = names.map((name) => {
    probe.style.color = `var(--${name})`;
    return [name, getComputedStyle(probe).color];
  });
  probe.remove();
  return Object.fromEntries(found) as Colours;
}

interface Scene {
  lanes: Lanes;
  sight: Sight;
  colours: Colours;
  chosen: Track | undefined;
  /** Those that the chosen one is linked with, and whether only replaced versions are. */
  linked: ReadonlyMap<GraphNode, { isReplaced: boolean }>;
  tickOf: Speech['tick'];
}

/** Draws what is in view, and nothing else. @returns how many marks that were */
export function paint(pen: CanvasRenderingContext2D, scene: Scene): number {
  const { lanes, sight, colours, chosen, linked } = scene;
  pen.clearRect(0, 0, sight.width, sight.height);
  paintLanes(pen, scene);
  const ticks = ticksOf(scene);
  paintTickLines(pen, scene, ticks);
  const first = Math.floor(sight.scrolled / ROW);
  const seen = inRows(lanes, first, first + Math.ceil(sight.height / ROW));
  const isFaint = (track: Track) => chosen !== undefined && track !== chosen && !linked.has(track.node);
  if (chosen) paintLinks(pen, scene, chosen);
  let drawn = 0;
  for (const track of seen) {
    if (endOf(track) < sight.from || beginOf(track) > sight.to) continue;
    pen.globalAlpha = isFaint(track) ? 0.35 : 1;
    drawn += paintTrack(pen, sight, colours, track);
  }
  pen.font = fontOf(400, 12);
  for (const { track, text, x } of labelsOf(sight, seen)) {
    pen.globalAlpha = isFaint(track) ? 0.35 : 1;
    pen.fillStyle = track === chosen ? colours.text : colours.quiet;
    pen.fillText(text, x, yOf(sight, track.row) + 4);
  }
  pen.globalAlpha = 1;
  if (chosen) {
    pen.strokeStyle = colours.link;
    pen.lineWidth = 2;
    pen.beginPath();
    pen.arc(xOf(sight, endOf(chosen)), yOf(sight, chosen.row), 9, 0, 7);
    pen.stroke();
  }
  paintTickWords(pen, scene, ticks);
  return drawn;
}

function paintLanes(pen: CanvasRenderingContext2D, { lanes, sight, colours }: Scene): void {
  for (const [place, { scope, top, rows }] of lanes.lanes.entries()) {
    const [y, height] = [TOP + top * ROW - sight.scrolled, rows * ROW];
    if (y > sight.height || y + height < 0) continue;
    pen.fillStyle = place % 2 === 0 ? colours.band : colours.card;
    pen.fillRect(0, y, sight.width, height);
    pen.fillStyle = colours.text;
    pen.font = fontOf(600, 12);
    // The name of a lane stays in view as long as the lane does.
    const at = Math.min(Math.max(y, TOP), y + height - ROW);
    pen.fillText(cutTo(scope, gutterOf(sight.width) - 10, pen.font), 8, at + 13);
  }
}

function paintTrack(pen: CanvasRenderingContext2D, sight: Sight, colours: Colours, track: Track): number {
  const y = yOf(sight, track.row);
  const { node, marks } = track;
  if (marks.length > 1) {
    pen.strokeStyle = colours.quiet;
    pen.lineWidth = 1.2;
    pen.beginPath();
    pen.moveTo(Math.max(gutterOf(sight.width), xOf(sight, beginOf(track))), y);
    pen.lineTo(xOf(sight, endOf(track)), y);
    pen.stroke();
  }
  let drawn = 0;
  for (const [place, { at, outcome, strength }] of marks.entries()) {
    if (at < sight.from || at > sight.to) continue;
    const stands = place === marks.length - 1 && node.status === 'stands';
    paintMark(pen, colours, { x: xOf(sight, at), y, outcome, stands, strength });
    drawn++;
  }
  return drawn;
}

interface Drawn {
  x: number;
  y: number;
  outcome: GraphNode['outcome'];
  stands: boolean;
  strength: GraphNode['strength'];
}

/** Filled stands, hollow does not; a cross failed; a rhomb is an axis, a square a lock. */
function paintMark(
  pen: CanvasRenderingContext2D,
  colours: Colours,
  { x, y, outcome, stands, strength }: Drawn,
) {
  const colour = outcome === 'success' ? colours.good : outcome === 'partial' ? colours.part : colours.quiet;
  pen.beginPath();
  if (outcome === 'failed') {
    pen.strokeStyle = colours.bad;
    pen.lineWidth = 2.4;
    pen.moveTo(x - 4.5, y - 4.5);
    pen.lineTo(x + 4.5, y + 4.5);
    pen.moveTo(x + 4.5, y - 4.5);
    pen.lineTo(x - 4.5, y + 4.5);
    pen.stroke();
    return;
  }
  if (strength === 'axis') {
    pen.moveTo(x, y - 6);
    pen.lineTo(x + 6, y);
    pen.lineTo(x, y + 6);
    pen.lineTo(x - 6, y);
    pen.closePath();
  } else if (strength === 'lock') pen.rect(x - 4.5, y - 4.5, 9, 9);
  else pen.arc(x, y, 4.8, 0, 7);
  pen.fillStyle = stands ? colour : colours.card;
  pen.fill();
  pen.strokeStyle = colour;
  pen.lineWidth = 1.6;
  pen.stroke();
}

function paintLinks(pen: CanvasRenderingContext2D, { lanes, sight, colours, linked }: Scene, chosen: Track) {
  const [x1, y1] = [xOf(sight, endOf(chosen)), yOf(sight, chosen.row)];
  pen.strokeStyle = colours.arrow;
  pen.lineWidth = 1.3;
  for (const other of lanes.tracks) {
    const link = linked.get(other.node);
    if (!link) continue;
    const [x2, y2] = [xOf(sight, endOf(other)), yOf(sight, other.row)];
    pen.setLineDash(link.isReplaced ? [2, 5] : []);
    pen.beginPath();
    pen.moveTo(x1, y1);
    pen.bezierCurveTo((x1 + x2) / 2, y1, (x1 + x2) / 2, y2, x2, y2);
    pen.stroke();
  }
  pen.setLineDash([]);
}

const DAY = 86_400_000;
/** Pixels that a tick takes at least. */
const APART = 80;
/** Days between two ticks, where months would be too far apart to read a day by. */
const DAYS = [1, 2, 7, 14];

/** Moments that tell where in time a mark stands, with their words. */
function ticksOf({ sight, tickOf }: Scene): { x: number; text: string }[] {
  const least = (sight.to - sight.from) / DAY / ((sight.width - gutterOf(sight.width)) / APART);
  const days = DAYS.find((each) => each >= least);
  const months = Math.max(1, Math.ceil(least / 30));
  const begin = new Date(sight.from);
  const ticks = [];
  for (let n = 0; n < 1000; n++) {
    const at = days
      ? new Date(begin.getFullYear(), begin.getMonth(), begin.getDate() + n * days)
      : new Date(begin.getFullYear(), begin.getMonth() + n * months, 1);
    if (at.getTime() > sight.to) break;
    const x = xOf(sight, at.getTime());
    if (x < gutterOf(sight.width)) continue;
    ticks.push({ x, text: tickOf(at.getTime(), days ? 'day' : at.getMonth() === 0 ? 'year' : 'month') });
  }
  return ticks;
}

function paintTickLines(pen: CanvasRenderingContext2D, { sight, colours }: Scene, ticks: { x: number }[]) {
  pen.fillStyle = colours.line;
  for (const { x } of ticks) pen.fillRect(x, TOP - 6, 1, sight.height);
}

function paintTickWords(
  pen: CanvasRenderingContext2D,
  { sight, colours }: Scene,
  ticks: { x: number; text: string }[],
): void {
  pen.fillStyle = colours.card;
  pen.fillRect(0, 0, sight.width, TOP);
  pen.font = fontOf(400, 12);
  let free = 0;
  for (const { x, text } of ticks) {
    const { width } = pen.measureText(text);
    if (x < free || x + 4 + width > sight.width) continue;
    pen.fillStyle = colours.line;
    pen.fillRect(x, TOP - 6, 1, 6);
    pen.fillStyle = colours.quiet;
    pen.fillText(text, x + 4, 15);
    free = x + 14 + width;
  }
}
