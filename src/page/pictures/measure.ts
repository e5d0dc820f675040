let pen: CanvasRenderingContext2D | null | undefined;
/** Widths by font and text: what is drawn is drawn again in each frame. */
const widths = new Map<string, number>();

/** How wide a text is when it is drawn, in pixels. */
export function widthOf(text: string, font: string): number {
  const key = font + text;
  const known = widths.get(key);
  if (known !== undefined) return known;
  pen ??= document.createElement('canvas').getContext('2d');
  if (!pen) return 0;
  pen.font = font;
  const { width } = pen.measureText(text);
  widths.set(key, width);
  return width;
}

/** A text as far as it fits, by the width that it has when it is drawn: Hangul is wider than Latin. */
export function cutTo(text: string, width: number, font: string): string {
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

let family: string | undefined;

/** The font of the page, as a picture names it. @param weight of CSS @param size in pixels */
export function fontOf(weight: number, size: number): string {
  // Asking for it while a picture is drawn would lay out the page each time.
  family ??= getComputedStyle(document.body).fontFamily;
  return `${weight} ${size}px ${family}`;
}
