import type { ChangeObject } from 'diff';
import * as z from 'zod';

/** A piece of two texts: in both, or in one of them. */
export const wordChange = z.object({ kind: z.enum(['same', 'removed', 'added']), text: z.string() });
export type WordChange = z.infer<typeof wordChange>;

/** The content of a version, field by field. */
export type Side = Record<string, string>;

/** Words that may be in one text and not in the other before the two are shown one after the other: time grows with its square. */
const MOST_EDITS = 2_000;
/** Longer texts are compared line by line. */
const LONG = 50_000;

/** The fields that differ, word by word (U-6). */
export async function changesBetween(
  from: Side,
  to: Side,
): Promise<{ field: string; changes: WordChange[] }[]> {
  // Loaded on use: few operations need it.
  const { diffLines, diffWords } = await import('diff');
  const fields = [...new Set([...Object.keys(from), ...Object.keys(to)])];
  return fields.flatMap((field) => {
    const [before = '', after = ''] = [from[field], to[field]];
    if (before === after) return [];
    const isLong = before.length + after.length > LONG;
    const parts = isLong
      ? diffLines(before, after, { maxEditLength: MOST_EDITS })
      : diffWords(before, after, { maxEditLength: MOST_EDITS, intlSegmenter: words() });
    return [{ field, changes: parts ? parts.map(toChange) : replaced(before, after) }];
  });
}

/** Korean and Japanese have words, too. Made on use: the first segmenter of a process takes milliseconds. */
const words = () => new Intl.Segmenter('en', { granularity: 'word' });

function toChange({ added, removed, value }: ChangeObject<string>): WordChange {
  return { kind: added ? 'added' : removed ? 'removed' : 'same', text: value };
}

function replaced(before: string, after: string): WordChange[] {
  const changes: WordChange[] = [
    { kind: 'removed', text: before },
    { kind: 'added', text: after },
  ];
  return changes.filter(({ text }) => text !== '');
}
