import { diffArrays } from 'diff';

/** What leads from a text back to the one before it: how many characters stay, or go where that is below 0, or a text that comes. */
export type Undo = (number | string)[];

/**
 * The way back from a text that setup wrote. It holds what the text before had and this one has not, so next to
 * nothing: what others keep in their settings is not kept a second time.
 */
export const undoOf = (before: string, after: string): Undo =>
  diffArrays(partsOf(after), partsOf(before)).map(({ value, added, removed }) => {
    const text = value.join('');
    return added ? text : removed ? -text.length : text.length;
  });

/** The text before. @param after the very text that the way back begins at */
export function undone(after: string, undo: Undo): string {
  let at = 0;
  return undo
    .map((step) => {
      if (typeof step === 'string') return step;
      const from = at;
      at += Math.abs(step);
      return after.slice(from, Math.max(from, from + step));
    })
    .join('');
}

/** Settings may be one long line. What parts them is a part of its own: a comma that comes is not a change of what is before it. */
const partsOf = (text: string): string[] => text.split(/(?<=[\n,{}[\]])|(?=[\n,{}[\]])/);
