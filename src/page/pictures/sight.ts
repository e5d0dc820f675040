/** Pixels that a row is high. */
export const ROW = 21;
/** Above the rows: the days or months. */
export const TOP = 24;

/** What is seen of the lanes. */
export interface Sight {
  width: number;
  height: number;
  /** Pixels scrolled down. */
  scrolled: number;
  /** Milliseconds UTC, at the left and the right end. */
  from: number;
  to: number;
}

/** The room for the names of the scopes. */
export const gutterOf = (width: number): number => (width < 600 ? 72 : 120);

/** Where a moment is drawn. */
export function xOf({ width, from, to }: Sight, at: number): number {
  const left = gutterOf(width);
  return left + 12 + ((at - from) / Math.max(1, to - from)) * (width - left - 30);
}

export const yOf = ({ scrolled }: Sight, row: number): number => TOP + row * ROW + ROW / 2 - scrolled;
