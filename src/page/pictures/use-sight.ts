import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Lanes } from './lanes.ts';
import { gutterOf, ROW, type Sight, TOP } from './sight.ts';

/** The tallest picture, in pixels; more rows are scrolled to. */
const TALLEST = 660;

/** What is seen of the lanes, and how that is changed: by the width of the window, by scrolling, by zooming. */
export function useSight(frame: RefObject<HTMLDivElement | null>, lanes: Lanes) {
  const [width, setWidth] = useState(600);
  const [scrolled, setScrolled] = useState(0);
  // What happened today has room to its right.
  const all = { from: lanes.first, to: lanes.last + Math.max(1, (lanes.last - lanes.first) * 0.02) };
  const [span, setSpan] = useState<{ from: number; to: number }>();
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, [frame]);
  const total = TOP + lanes.rows * ROW;
  const sight: Sight = { width, height: Math.min(total, TALLEST), scrolled, ...(span ?? all) };

  /** @param factor above 1 to see less @param x where what is seen stays in its place */
  const zoom = (factor: number, x = (width + gutterOf(width)) / 2) => {
    const { from, to } = sight;
    const share = Math.min(1, Math.max(0, (x - gutterOf(width)) / Math.max(1, width - gutterOf(width))));
    const length = Math.max(60_000, (to - from) / factor);
    const middle = from + (to - from) * share;
    const next = { from: middle - length * share, to: middle + length * (1 - share) };
    setSpan(length >= all.to - all.from ? undefined : within(next));
  };
  const within = ({ from, to }: { from: number; to: number }) => {
    const by = Math.max(0, all.from - from) - Math.max(0, to - all.to);
    return { from: from + by, to: to + by };
  };
  /** @param x pixels to the right */
  const pan = (x: number) => {
    const by = (x / Math.max(1, width - gutterOf(width))) * (sight.to - sight.from);
    if (span) setSpan(within({ from: sight.from - by, to: sight.to - by }));
  };
  return { sight, total, setScrolled, zoom, pan, seeAll: () => setSpan(undefined) };
}
