/** A point of a picture. */
export interface Point {
  x: number;
  y: number;
}

/**
 * Places on ellipses around the middle: the first in the middle, the next on a small one, the rest on a larger one. The same
 * each time, without physics. @param count of all
 */
export function ring(count: number, width: number, height: number): Point[] {
  const inner = Math.min(8, count - 1);
  const outer = count - 1 - inner;
  return Array.from({ length: count }, (_, place) => {
    if (place === 0) return { x: width / 2, y: height / 2 };
    const isInner = place <= inner;
    const [index, of, share] = isInner ? [place - 1, inner, 0.26] : [place - 1 - inner, outer, 0.44];
    const angle = (2 * Math.PI * (index + (isInner ? 0 : 0.5))) / of - Math.PI / 2;
    return {
      x: width / 2 + width * share * Math.cos(angle),
      y: height / 2 + height * share * Math.sin(angle),
    };
  });
}
