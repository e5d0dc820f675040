import type * as z from 'zod';
import type { Tx } from '../../store/tx.ts';
import { earlierText, earlierTexts, requireObservation } from '../results/observation.ts';
import { toBy } from '../results/writer.ts';

/** A text of an observation. */
export const noteText = earlierText.partial({ until: true, session_id: true, client: true });

export type NoteText = z.output<typeof noteText>;

/**
 * The newest texts of an observation, the newest first.
 * @param most so many at most
 * @param before only those before this revision
 * @returns with `total`, how many there are
 * @throws PrecedentError `not_found`
 */
export async function textsOf(
  tx: Tx,
  id: number,
  most: number,
  before = Number.POSITIVE_INFINITY,
): Promise<{ texts: NoteText[]; total: number }> {
  const active = await requireObservation(tx, id);
  const total = active.revisionCount + 1;
  const isShown = total < before;
  const earlier = await earlierTexts(tx, id, { newest: most, ...(!isShown && { before }) });
  const { title, content, type } = active;
  const newest = isShown ? [{ revision: total, title, content, type, ...toBy(active) }] : [];
  return { texts: [...newest, ...earlier.toReversed()].slice(0, most), total };
}
