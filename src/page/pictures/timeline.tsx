import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Graph, GraphNode } from '../data/operations.ts';
import { useHref } from '../data/session.ts';
import { Mark, type State } from '../parts/marks.tsx';
import { navigate } from '../shell/navigate.ts';
import { useSpeech } from '../words/words.ts';
import { labelsOf } from './labels.ts';
import { besides, endOf, inRows, lanesOf, type Track } from './lanes.ts';
import { coloursOf, paint } from './paint.ts';
import { ROW, TOP, xOf, yOf } from './sight.ts';
import { useSight } from './use-sight.ts';

interface Props {
  graph: Graph;
  chosen: GraphNode | undefined;
  choose: (node: GraphNode | undefined) => void;
  /** Receives the decisions of the time that is in view. */
  see: (nodes: GraphNode[]) => void;
}

/** Every decision over time, on a canvas that draws what is in view. The list beside it says the same. */
export function Timeline({ graph, chosen: chosenNode, choose, see }: Props) {
  const { t, tick } = useSpeech();
  const href = useHref();
  const frame = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const dragged = useRef<{ x: number; far: boolean } | undefined>(undefined);
  const lanes = useMemo(() => lanesOf(graph.nodes), [graph]);
  const { sight, total, setScrolled, zoom, pan, seeAll } = useSight(frame, lanes);
  const [theme, setTheme] = useState(0);
  const chosen = lanes.tracks.find(({ node }) => node.id === chosenNode?.id);
  const linked = useMemo(() => linkedWith(graph, chosenNode), [graph, chosenNode]);

  useEffect(() => {
    const again = () => setTheme((before) => before + 1);
    const dark = matchMedia('(prefers-color-scheme: dark)');
    addEventListener('precedent-theme', again);
    dark.addEventListener('change', again);
    return () => {
      removeEventListener('precedent-theme', again);
      dark.removeEventListener('change', again);
    };
  }, []);
  const colours = useMemo(() => frame.current && coloursOf(frame.current), [theme, frame.current]);
  useEffect(() => {
    const element = canvas.current;
    const pen = element?.getContext('2d');
    if (!element || !pen || !frame.current) return;
    const scale = devicePixelRatio;
    const [width, height] = [Math.round(sight.width * scale), Math.round(sight.height * scale)];
    if (element.width !== width) element.width = width;
    if (element.height !== height) element.height = height;
    pen.setTransform(scale, 0, 0, scale, 0, 0);
    const scene = {
      lanes,
      sight,
      colours: colours ?? coloursOf(frame.current),
      chosen,
      linked,
      tickOf: tick,
    };
    element.dataset.drawn = String(paint(pen, scene));
  }, [lanes, sight, colours, chosen, linked, tick]);
  const { from, to } = sight;
  useEffect(() => {
    see(lanes.tracks.filter((track) => endOf(track) >= from && endOf(track) <= to).map(({ node }) => node));
  }, [lanes, from, to, see]);

  const go = (track: Track | undefined) => {
    if (!track) return;
    choose(track.node);
    const y = TOP + track.row * ROW;
    const box = frame.current;
    if (box && (y < box.scrollTop + TOP || y > box.scrollTop + sight.height - ROW))
      box.scrollTop = y - sight.height / 2;
  };
  const pressed = (event: KeyboardEvent) => {
    const at = chosen ?? lanes.tracks.at(0);
    const keys: Record<string, () => void> = {
      ArrowLeft: () => go(chosen && at ? besides(lanes, at, { along: -1 }) : at),
      ArrowRight: () => go(chosen && at ? besides(lanes, at, { along: 1 }) : at),
      ArrowUp: () => go(chosen && at ? besides(lanes, at, { rows: -1 }) : at),
      ArrowDown: () => go(chosen && at ? besides(lanes, at, { rows: 1 }) : at),
      Enter: () => chosen && navigate(href('d', chosen.node.id)),
      Escape: () => choose(undefined),
      '+': () => zoom(1.5),
      '=': () => zoom(1.5),
      '-': () => zoom(1 / 1.5),
      '0': seeAll,
    };
    const act = keys[event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act();
  };
  const markAt = (event: MouseEvent): Track | undefined => {
    const box = canvas.current?.getBoundingClientRect();
    if (!box) return undefined;
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    const row = Math.floor((y - TOP + sight.scrolled) / ROW);
    const named = labelsOf(sight, inRows(lanes, row, row)).find(
      (label) => x >= label.x && x <= label.x + label.width,
    );
    if (named) return named.track;
    const near = (track: Track) => Math.min(...track.marks.map(({ at }) => Math.abs(xOf(sight, at) - x)));
    return lanes.tracks
      .filter((track) => Math.abs(track.row - row) <= 1 && near(track) < 14)
      .sort(
        (a, b) => Math.abs(yOf(sight, a.row) - y) + near(a) - Math.abs(yOf(sight, b.row) - y) - near(b),
      )[0];
  };
  /** Says what a mark is before it is chosen. */
  const point = (node: GraphNode | undefined) => {
    const element = canvas.current;
    if (!element) return;
    element.title = node ? `${node.topic ?? t.noTopic}: ${node.text}` : '';
    element.style.cursor = node ? 'pointer' : '';
  };
  return (
    <div class="timeline">
      <div class="buttons">
        <button type="button" class="small" onClick={() => zoom(1.5)} aria-label={t.zoomIn}>
          +
        </button>
        <button type="button" class="small" onClick={() => zoom(1 / 1.5)} aria-label={t.zoomOut}>
          −
        </button>
        <button type="button" class="small" onClick={seeAll}>
          {t.zoomAll}
        </button>
      </div>
      <div
        ref={frame}
        class="lanes"
        role="application"
        aria-label={t.lanes}
        aria-describedby="lanes-help"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: an application has keys of its own
        tabIndex={0}
        onScroll={({ currentTarget }) => setScrolled(currentTarget.scrollTop)}
        onKeyDown={pressed}
        onWheel={(event) => {
          if (!event.ctrlKey && !event.shiftKey) return;
          event.preventDefault();
          zoom(event.deltaY + event.deltaX < 0 ? 1.2 : 1 / 1.2, event.offsetX);
        }}
        onPointerDown={(event) => {
          dragged.current = { x: event.clientX, far: false };
        }}
        onPointerMove={(event) => {
          const from = dragged.current;
          if (event.buttons === 0) point(markAt(event)?.node);
          if (!from || event.buttons === 0 || (!from.far && Math.abs(event.clientX - from.x) < 5)) return;
          pan(event.clientX - from.x);
          dragged.current = { x: event.clientX, far: true };
        }}
        onClick={(event) => !dragged.current?.far && choose(markAt(event)?.node)}
        onDblClick={(event) => {
          const track = markAt(event);
          if (track) navigate(href('d', track.node.id));
        }}
      >
        <canvas ref={canvas} style={{ width: `${sight.width}px`, height: `${sight.height}px` }} />
        <div style={{ height: `${Math.max(0, total - sight.height)}px` }} />
      </div>
      <Legend />
      <p id="lanes-help" class="quiet">
        {t.overviewHelp}
      </p>
    </div>
  );
}

/** What the marks mean. */
function Legend() {
  const { t } = useSpeech();
  const shown: [State, string][] = [
    [{ status: 'stands', outcome: null }, t.stands],
    [{ status: 'superseded', outcome: null }, t.hollow],
    [{ status: 'stands', outcome: 'success' }, t.success],
    [{ status: 'stands', outcome: 'partial' }, t.partial],
    [{ status: 'stands', outcome: 'failed' }, t.failed],
    [{ status: 'stands', outcome: null, strength: 'axis' }, t.strengths.axis],
    [{ status: 'stands', outcome: null, strength: 'lock' }, t.strengths.lock],
  ];
  return (
    <ul class="legend quiet">
      {shown.map(([state, meaning]) => (
        <li key={meaning}>
          <Mark {...state} /> {meaning}
        </li>
      ))}
    </ul>
  );
}

/** The nodes that one is linked with, in either direction, and whether only replaced versions are. */
function linkedWith({ nodes, links, replaced = [] }: Graph, chosen: GraphNode | undefined) {
  const linked = new Map<GraphNode, { isReplaced: boolean }>();
  for (const [place, [from, to]] of links.entries()) {
    const [one, other] = [nodes[from], nodes[to]];
    const node = one?.id === chosen?.id ? other : other?.id === chosen?.id ? one : undefined;
    if (!node) continue;
    const isReplaced = replaced.includes(place) && linked.get(node)?.isReplaced !== false;
    linked.set(node, { isReplaced });
  }
  return linked;
}
