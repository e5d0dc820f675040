import { insertRows } from '../rows.ts';
import type { Tx } from '../tx.ts';
import { writerRow } from '../writer.ts';

/**
 * Writes down what this transaction saved together, so that it can be undone (K-6). Nothing where it saved nothing:
 * keywords of what was said are no save.
 * @param undoes the save that this one undid
 */
export async function recordSave(tx: Tx, undoes: number | null = null): Promise<void> {
  const { records, changes } = tx.saved;
  if (records.length + changes.length === 0) return;
  const { id: writer } = await writerRow(tx);
  const ranges = { ...rangeOf('Record', records), ...rangeOf('Change', changes) };
  await insertRows(tx, 'saves', [{ writer, createdAt: tx.now, ...ranges, undoes }]);
  // What a transaction saves afterwards is another save.
  records.length = 0;
  changes.length = 0;
}

/** Writers take turns, so that nobody else's numbers lie between the first and the last. */
function rangeOf(what: 'Record' | 'Change', numbers: number[]) {
  const ends = numbers.reduce<{ first: number | null; last: number | null }>(
    ({ first, last }, each) => ({ first: Math.min(first ?? each, each), last: Math.max(last ?? each, each) }),
    { first: null, last: null },
  );
  return { [`first${what}`]: ends.first, [`last${what}`]: ends.last } as Record<
    `first${typeof what}` | `last${typeof what}`,
    number | null
  >;
}
