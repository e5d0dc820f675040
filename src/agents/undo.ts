import { diffArrays } from 'diff';

/** What leads from a text back to the one before it: at a character of it, how many go, and what comes in their place. */
export type Undo = [at: number, length: number, text: string][];

/**
 * The way back from a text that setup wrote. It holds what the text before had and this one has not, so next to
 * nothing: what others keep in their settings is not kept a second time.
 */
export function undoOf(before: string, after: string): Undo {
  const undo: Undo = [];
  let at = 0;
  let open: [gone: string, come: string] = ['', ''];
  const close = () => {
    const [gone, come] = open;
    const start = shared(gone, come, (text, n) => text[n]);
    const [restGone, restCome] = [gone.slice(start), come.slice(start)];
    const end = shared(restGone, restCome, (text, n) => text[text.length - 1 - n]);
    if (gone !== come)
      undo.push([at - restCome.length, restCome.length - end, restGone.slice(0, restGone.length - end)]);
    open = ['', ''];
  };
  for (const { value, added, removed } of diffArrays(partsOf(before), partsOf(after))) {
    const text = value.join('');
    if (removed) open[0] += text;
    else if (added) open[1] += text;
    else close();
    if (!removed) at += text.length;
  }
  close();
  return undo;
}

/** The text before. @param after the very text that the way back begins at */
export function undone(after: string, undo: Undo): string {
  return undo.reduceRight(
    (text, [at, length, before]) => text.slice(0, at) + before + text.slice(at + length),
    after,
  );
}

/** Settings may be one long line. */
const partsOf = (text: string): string[] => text.split(/(?<=[\n,{}[\]])/);

/** How many characters are the same, counted from one side. */
function shared(one: string, other: string, charAt: (text: string, n: number) => string | undefined): number {
  const most = Math.min(one.length, other.length);
  let length = 0;
  while (length < most && charAt(one, length) === charAt(other, length)) length++;
  return length;
}
